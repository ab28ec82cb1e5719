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

/** Reads a single value of the configuration by its type, such as a duration or a port. */
final class Values {
  /** A type of values: its name for administrators, and the function that parses a value. */
  private record ValueType(String name, Function<String, Object> parse) {}

  private static final ValueType TEXT = new ValueType("text", text -> text);

  /**
   * Types without a {@code parse} method of their own, and {@link ByteSize} because of its name.
   */
  private static final Map<Class<?>, ValueType> VALUE_TYPES =
      Map.of(
          String.class, TEXT,
          Secret.class, new ValueType("secret", Secret::new),
          int.class, new ValueType("number", text -> (int) parseNumber(text, Integer.MAX_VALUE)),
          long.class, new ValueType("number", text -> parseNumber(text, Long.MAX_VALUE)),
          boolean.class, new ValueType("true or false", Values::parseBoolean),
          Duration.class, new ValueType("duration", Durations::parse),
          ByteSize.class, new ValueType("size", ByteSize::parse));

  private Values() {}

  static boolean isSection(Class<?> type) {
    return type.isRecord() && !VALUE_TYPES.containsKey(type) && parseMethod(type) == null;
  }

  /**
   * @throws IllegalArgumentException if the text is invalid; the message describes the allowed
   *     texts and does not repeat the text
   */
  static Object parse(Class<?> type, String text) {
    ValueType valueType = VALUE_TYPES.get(type);
    if (valueType != null) {
      return valueType.parse.apply(text);
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
    return unit.isEmpty() ? VALUE_TYPES.getOrDefault(type, TEXT).name : unit;
  }

  private static boolean parseBoolean(String text) {
    if (!text.equals("true") && !text.equals("false")) {
      throw new IllegalArgumentException("must be true or false");
    }
    return text.equals("true");
  }

  private static long parseNumber(String text, long max) {
    try {
      long value = Long.parseLong(text);
      if (value <= max && value >= -max) {
        return value;
      }
    } catch (NumberFormatException e) {
      // The exception below reports it, like a number that is too large.
    }
    throw new IllegalArgumentException("must be a whole number up to " + max);
  }

  private static Object constant(Class<?> type, String text) {
    for (Object constant : type.getEnumConstants()) {
      if (nameInFile(constant).equals(text)) {
        return constant;
      }
    }
    throw new IllegalArgumentException("must be one of " + constants(type));
  }

  /** Returns an enum constant as written in the file, such as {@code sender-and-message}. */
  private static String nameInFile(Object constant) {
    return ((Enum<?>) constant).name().replace('_', '-').toLowerCase(Locale.ROOT);
  }

  private static String constants(Class<?> type) {
    return Arrays.stream(type.getEnumConstants())
        .map(Values::nameInFile)
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
