package io.duplog.config;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks a component of a record as a configuration key, with its documentation and its default. The
 * key is the component's name in kebab-case: {@code connectTimeout} is {@code connect-timeout}.
 *
 * <p>The component's type defines the form of a value. A simple value is a {@code String}, {@code
 * int}, {@code long}, {@code boolean}, an enum (its constants in kebab-case), {@link
 * java.time.Duration} ({@code 250ms}, {@code 10m}), {@link ByteSize} ({@code 4MiB}) or {@link
 * Secret}. Any class with a {@code public static T parse(String)} is allowed, too. Another record
 * of keys is a section. A {@code List} may contain any of these types. A {@code Map} contains text
 * or sections, and the file chooses its keys.
 *
 * <p>A key without a default must be in the file, with two exceptions. A missing section has all
 * its defaults, and a missing key of a {@code @Nullable} type is null.
 */
@Documented
@Target(ElementType.RECORD_COMPONENT)
@Retention(RetentionPolicy.RUNTIME)
public @interface Key {

  /** Meaning of the key for an administrator, in one or two sentences. */
  String doc();

  /**
   * Value for a key that is not in the file, written as in the file. May contain references. The
   * elements of a list are separated by commas, as are the {@code name: value} pairs of a map.
   */
  String defaultValue() default NONE;

  /** Unit of a plain number, such as {@code messages}. Durations and sizes carry their own unit. */
  String unit() default "";

  /** Value in the generated documentation of a key without a default. */
  String example() default "";

  /**
   * Whether the presence of a section turns a feature on, so that the generated documentation shows
   * the section commented out.
   */
  boolean whereWanted() default false;

  /**
   * Another section that has the same keys, beside this one. The generated documentation names it
   * in place of the keys.
   */
  String sameAs() default "";

  /** Marker for "no default", because an annotation can't contain null. */
  String NONE = "\0";
}
