package io.duplog.benchmark.plan;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The members of a JSON object, as {@code JsonTree} reads it.
 *
 * @param what the object is, for an error
 */
record Members(String what, Map<?, ?> all) {

  /**
   * @throws IOException where it is no object
   */
  static Members of(String what, @Nullable Object value) throws IOException {
    if (value instanceof Map<?, ?> all) {
      return new Members(what, all);
    }
    throw new IOException(what + " is no JSON object");
  }

  String text(String name) throws IOException {
    if (all.get(name) instanceof String text) {
      return text;
    }
    throw missing(name);
  }

  double number(String name) throws IOException {
    if (all.get(name) instanceof Double number) {
      return number;
    }
    throw missing(name);
  }

  boolean has(String name) {
    return all.get(name) != null;
  }

  Members object(String name) throws IOException {
    if (!has(name)) {
      throw missing(name);
    }
    return of(what + "'s " + name, all.get(name));
  }

  List<Members> objects(String name) throws IOException {
    if (!(all.get(name) instanceof List<?> list)) {
      throw missing(name);
    }
    List<Members> objects = new ArrayList<>();
    for (Object each : list) {
      objects.add(of(what + "'s " + name, each));
    }
    return objects;
  }

  List<String> texts(String name) throws IOException {
    if (!(all.get(name) instanceof List<?> list)) {
      throw missing(name);
    }
    return list.stream().map(String::valueOf).toList();
  }

  /** The numbers of a list, of which there is one at least. */
  List<Double> numbers(String name) throws IOException {
    List<Double> numbers = new ArrayList<>();
    if (all.get(name) instanceof List<?> list) {
      for (Object each : list) {
        if (each instanceof Double number) {
          numbers.add(number);
        }
      }
    }
    if (numbers.isEmpty()) {
      throw missing(name);
    }
    return numbers;
  }

  /** All members that are numbers. */
  Map<String, Double> numbers() {
    Map<String, Double> numbers = new LinkedHashMap<>();
    all.forEach(
        (name, value) -> {
          if (value instanceof Double number) {
            numbers.put(String.valueOf(name), number);
          }
        });
    return numbers;
  }

  /** All members that are texts. */
  Map<String, String> texts() {
    Map<String, String> texts = new LinkedHashMap<>();
    all.forEach(
        (name, value) -> {
          if (value instanceof String text) {
            texts.put(String.valueOf(name), text);
          }
        });
    return texts;
  }

  private IOException missing(String name) {
    return new IOException(what + " has no " + name);
  }
}
