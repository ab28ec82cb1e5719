package io.duplog.config;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.time.Duration;
import java.util.Arrays;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Single values: what their text may be, and what it becomes. */
final class Values {
  private Values() {}

  static boolean isSection(Class<?> type) {
    return type.isRecord() && parseMethod(type) == null;
  }

  /**
   * @throws IllegalArgumentException that says what is allowed, and does not repeat the text
   */
  static Object parse(Class<?> type, String text) {
    if (type == String.class) {
      return text;
    }
    if (type == Secret.class) {
      return Secret.of(text);
    }
    if (type == int.class) {
      return (int) number(text, Integer.MAX_VALUE);
    }
    if (type == long.class) {
      return number(text, Long.MAX_VALUE);
    }
    if (type == boolean.class) {
      if (!text.equals("true") && !text.equals("false")) {
        throw new IllegalArgumentException("must be true or false");
      }
      return text.equals("true");
    }
    if (type == Duration.class) {
      return Durations.parse(text);
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

  /** What the reference says about a type: {@code duration}, {@code one of redis, memory}. */
  static String describe(Class<?> type, String unit) {
    if (type == int.class || type == long.class) {
      return unit.isEmpty() ? "number" : unit;
    }
    if (type == boolean.class) {
      return "true or false";
    }
    if (type == Duration.class) {
      return "duration";
    }
    if (type == ByteSize.class) {
      return "size";
    }
    if (type == Secret.class) {
      return "secret";
    }
    if (type.isEnum()) {
      return "one of " + constants(type);
    }
    return unit.isEmpty() ? "text" : unit;
  }

  private static long number(String text, long max) {
    try {
      long value = Long.parseLong(text);
      if (value <= max && value >= -max) {
        return value;
      }
    } catch (NumberFormatException e) {
      // The same answer as for a number that is too large.
    }
    throw new IllegalArgumentException("must be a whole number up to " + max);
  }

  private static Object constant(Class<?> type, String text) {
    for (Object constant : type.getEnumConstants()) {
      if (KeyNames.ofConstant((Enum<?>) constant).equals(text)) {
        return constant;
      }
    }
    throw new IllegalArgumentException("must be one of " + constants(type));
  }

  private static String constants(Class<?> type) {
    return Arrays.stream(type.getEnumConstants())
        .map(constant -> KeyNames.ofConstant((Enum<?>) constant))
        .collect(Collectors.joining(", "));
  }

  private static @Nullable Method parseMethod(Class<?> type) {
    for (Method method : type.getDeclaredMethods()) {
      if (method.getName().equals("parse")
          && Modifier.isStatic(method.getModifiers())
          && method.getReturnType() == type
          && Arrays.equals(method.getParameterTypes(), new Class<?>[] {String.class})) {
        return method;
      }
    }
    return null;
  }

  private static Object invoke(Method parse, String text) {
    try {
      parse.setAccessible(true);
      return parse.invoke(null, text);
    } catch (InvocationTargetException e) {
      if (e.getCause() instanceof IllegalArgumentException refused) {
        throw refused;
      }
      throw new IllegalStateException(parse + " failed", e);
    } catch (IllegalAccessException e) {
      throw new IllegalStateException(parse + " can't be called", e);
    }
  }
}
