package io.duplog.dedup.redis;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.util.List;

/** Reads the answer of one of the ledger's Lua scripts as texts, numbers and lists. */
record RedisAnswer(List<?> elements) {

  int size() {
    return elements.size();
  }

  byte[] bytes(int index) {
    return (byte[]) elements.get(index);
  }

  String text(int index) {
    return text(elements.get(index));
  }

  /** Whether the text at an index is {@code 1}. */
  boolean flag(int index) {
    return text(index).equals("1");
  }

  /** Returns the text at an index as a number, or {@link Long#MAX_VALUE} if the text is empty. */
  long number(int index) {
    String text = text(index);
    return text.isEmpty() ? Long.MAX_VALUE : Long.parseLong(text);
  }

  List<?> list(int index) {
    return (List<?>) elements.get(index);
  }

  List<String> texts(int index) {
    return texts(list(index));
  }

  static List<String> texts(List<?> elements) {
    return elements.stream().map(RedisAnswer::text).toList();
  }

  static String text(Object element) {
    return new String((byte[]) element, ISO_8859_1);
  }
}
