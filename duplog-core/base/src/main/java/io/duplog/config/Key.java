package io.duplog.config;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Makes a record's component a key of the configuration. The key is the component's name in
 * kebab-case: {@code connectTimeout} is {@code connect-timeout}.
 *
 * <p>The component's type says what a value looks like: {@code String}, {@code int}, {@code long},
 * {@code boolean}, an enum (its constants in kebab-case), {@link java.time.Duration} ({@code
 * 250ms}, {@code 10m}), {@link ByteSize} ({@code 4MiB}), {@link Secret}, any class with a {@code
 * public static T parse(String)}, another record of keys (a section), a {@code List} of any of
 * these, or a {@code Map<String, String>} whose keys are the file's own.
 *
 * <p>A key without a default must be in the file, with two exceptions: a section that is absent has
 * all its defaults, and a component whose type is {@code @Nullable} is then null.
 */
@Documented
@Target(ElementType.RECORD_COMPONENT)
@Retention(RetentionPolicy.RUNTIME)
public @interface Key {

  /** Meaning of the key in a sentence or two, for an administrator. */
  String doc();

  /**
   * Value if the file has none, written as in the file; may contain references. The elements of a
   * list are separated by commas, as are the {@code name: value} pairs of a map.
   */
  String defaultValue() default NONE;

  /**
   * What a plain number counts, such as {@code messages}. Durations and sizes carry their own unit.
   */
  String unit() default "";

  /** Value that the generated documentation shows for a key without a default. */
  String example() default "";

  /**
   * Whether the mere presence of a section means something, so that the generated documentation
   * shows the section commented out.
   */
  boolean whereWanted() default false;

  /** Default value of a key that has no default, because an annotation can't hold null. */
  String NONE = "\0";
}
