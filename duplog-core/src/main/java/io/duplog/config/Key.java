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

  /** What the key means, in a sentence or two, for who writes the file. */
  String doc();

  /**
   * The value where the file has none, written as in the file, references included. The elements of
   * a list are separated by commas, as are those of a map, {@code name: value}.
   */
  String defaultValue() default NONE;

  /** What a plain number counts: {@code messages}. Durations and sizes carry their own unit. */
  String unit() default "";

  /** What to show in the reference for a key that has no default. */
  String example() default "";

  /**
   * Whether it is a section whose mere presence means something. The reference shows it commented
   * out.
   */
  boolean whereWanted() default false;

  /** Stands for "no default", since an annotation can't hold null. */
  String NONE = "\0";
}
