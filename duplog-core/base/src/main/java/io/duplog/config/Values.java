package io.duplog.config;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Parses single values by their types, and describes the types. */
final class Values {
  /** A form of values: the form's name for administrators, and the function that parses a value. */
  private record Form(String name, Function<String, Object> parse) {}

  private static final Form TEXT = new Form("text", text -> text);

  /**
   * Forms of types that have no {@code parse} of their own, and of {@link ByteSize} for its name.
   */
  private static final Map<Class<?>, Form> FORMS =
      Map.of(
          String.class, TEXT,
          Secret.class, new Form("secret", Secret::new),
          int.class, new Form("number", text -> (int) number(text, Integer.MAX_VALUE)),
          long.class, new Form("number", text -> number(text, Long.MAX_VALUE)),
          boolean.class, new Form("true or false", Values::truth),
          Duration.class, new Form("duration", Durations::parse),
          ByteSize.class, new Form("size", ByteSize::parse));

  private Values() {}

  static boolean isSection(Class<?> type) {
    return type.isRecord() && !FORMS.containsKey(type) && parseMethod(type) == null;
  }

  /**
   * @throws IllegalArgumentException that says what is allowed, without repeating the text
   */
  static Object parse(Class<?> type, String text) {
    Form form = FORMS.get(type);
    if (form != null) {
      return form.parse.apply(text);
    }
    if (type.isEnum()) {
      return constant(type, text);
    }
    Method parse = parseMethod(type);
    if (parse == null) {
      throw new IllegalStateException("a key can't be of " + type);
    }
    return invoke(parse, text);
  }

  /** Returns a type's name in the generated documentation, such as {@code one of redis, memory}. */
  static String describe(Class<?> type, String unit) {
    if (type.isEnum()) {
      return "one of " + constants(type);
    }
    return unit.isEmpty() ? FORMS.getOrDefault(type, TEXT).name : unit;
  }

  private static boolean truth(String text) {
    if (!text.equals("true") && !text.equals("false")) {
      throw new IllegalArgumentException("must be true or false");
    }
    return text.equals("true");
  }

  private static long number(String text, long max) {
    try {
      long value = Long.parseLong(text);
      if (value <= max && value >= -max) {
        return value;
      }
    } catch (NumberFormatException e) {
      // Answered below, like a number that is too large.
    }
    throw new IllegalArgumentException("must be a whole number up to " + max);
  }

  private static Object constant(Class<?> type, String text) {
    for (Object constant : type.getEnumConstants()) {
      if (word(constant).equals(text)) {
        return constant;
      }
    }
    throw new IllegalArgumentException("must be one of " + constants(type));
  }

  /** Returns an enum constant's name in the file, such as {@code sender-and-message}. */
  private static String word(Object constant) {
    return ((Enum<?>) constant).name().replace('_', '-').toLowerCase(Locale.ROOT);
  }

  private static String constants(Class<?> type) {
    return Arrays.stream(type.getEnumConstants())
        .map(Values::word)
        .collect(Collectors.joining(", "));
  }

  private static @Nullable Method parseMethod(Class<?> type) {
    try {
      Method parse = type.getDeclaredMethod("parse", String.class);
      return Modifier.isStatic(parse.getModifiers()) && parse.getReturnType() == type
          ? parse
          : null;
    } catch (NoSuchMethodException e) {
      return null;
    }
  }

  private static Object invoke(Method parse, String text) {
    try {
      parse.setAccessible(true);
      return parse.invoke(null, text);
    } catch (ReflectiveOperationException e) {
      if (e.getCause() instanceof IllegalArgumentException refused) {
        throw refused;
      }
      throw new IllegalStateException(parse + " failed", e);
    }
  }
}
