package io.duplog.config;

import java.util.Locale;

/** How Java's names are written in the file. */
final class KeyNames {
  private KeyNames() {}

  /** {@code connectTimeout} is {@code connect-timeout}. */
  static String ofComponent(String name) {
    return name.replaceAll("([a-z0-9])([A-Z])", "$1-$2").toLowerCase(Locale.ROOT);
  }

  /** {@code SENDER_AND_MESSAGE} is {@code sender-and-message}. */
  static String ofConstant(Enum<?> constant) {
    return constant.name().replace('_', '-').toLowerCase(Locale.ROOT);
  }
}
