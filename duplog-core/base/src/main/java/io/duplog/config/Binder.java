package io.duplog.config;

import java.lang.reflect.Constructor;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Creates the records of a configuration from a parsed YAML file, and reports every mistake in it.
 * Continues after an error, to report as many errors as possible. Does not create a record with an
 * invalid value, because the record's constructor may compare values. Each file needs an instance
 * of its own.
 */
final class Binder {
  /** Placeholder for an invalid value whose problem is already recorded. */
  private static final Object INVALID = new Object();

  private final String file;
  private final References references;
  private final boolean rejectUnknownKeys;
  private final List<ConfigException.Problem> problems = new ArrayList<>();

  /**
   * @param rejectUnknownKeys whether a key that the record does not have is an error
   */
  Binder(String file, References references, boolean rejectUnknownKeys) {
    this.file = file;
    this.references = references;
    this.rejectUnknownKeys = rejectUnknownKeys;
  }

  /**
   * Creates the record for a whole file; throws an exception with all problems, if there are any.
   */
  <T> T bind(YamlNode.Mapping whole, Class<T> type) throws ConfigException {
    Object created = section(whole, "", type);
    if (!problems.isEmpty()) {
      throw new ConfigException(problems);
    }
    return type.cast(created);
  }

  private Object section(YamlNode.Mapping section, String path, Class<?> type) {
    int problemsBefore = problems.size();
    Map<String, Component> components = Component.of(type);
    for (Map.Entry<String, YamlNode> entry : section.entries().entrySet()) {
      if (rejectUnknownKeys && !components.containsKey(entry.getKey())) {
        recordUnknownKey(entry.getKey(), entry.getValue(), path, components.keySet());
      }
    }
    Map<String, @Nullable Object> values = new LinkedHashMap<>();
    components.forEach((key, each) -> values.put(key, value(each, section, join(path, key))));
    Object created =
        values.containsValue(INVALID) ? INVALID : create(type, components, values, section, path);
    return problems.size() == problemsBefore ? created : INVALID;
  }

  /**
   * Creates a record. If the constructor refuses a value, replaces that value by its default and
   * tries again, to find further invalid values.
   */
  private Object create(
      Class<?> type,
      Map<String, Component> components,
      Map<String, @Nullable Object> values,
      YamlNode.Mapping section,
      String path) {
    Set<String> refused = new HashSet<>();
    while (true) {
      try {
        return construct(type, components, values);
      } catch (InvalidValueException e) {
        if (!refused.add(e.key())) {
          return INVALID;
        }
        YamlNode refusedNode = nodeOf(e.key(), section);
        recordProblem(refusedNode, join(path, e.key()), quotedAsWritten(e.problem(), refusedNode));
        Component component = components.get(e.key());
        if (component == null || !component.hasDefault()) {
          return INVALID;
        }
        Object defaultValue = value(component, new YamlNode.Mapping(0, Map.of()), e.key());
        if (defaultValue == INVALID) {
          return INVALID;
        }
        values.put(e.key(), defaultValue);
      } catch (IllegalArgumentException e) {
        return recordProblem(
            section, path, "is refused: " + quotedAsWritten("" + e.getMessage(), section));
      }
    }
  }

  /**
   * Returns the node of a key such as {@code rules[1].set}, or the innermost section around it that
   * the file has.
   */
  private static YamlNode nodeOf(String key, YamlNode.Mapping section) {
    YamlNode node = section;
    for (String part : key.split("[.\\[\\]]+", -1)) {
      YamlNode inner = null;
      if (node instanceof YamlNode.Mapping mapping) {
        inner = mapping.entries().get(part);
      } else if (node instanceof YamlNode.Sequence sequence) {
        inner = part.matches("[0-9]{1,9}") ? element(sequence, Integer.parseInt(part)) : null;
      }
      if (inner == null) {
        return node;
      }
      node = inner;
    }
    return node;
  }

  private static @Nullable YamlNode element(YamlNode.Sequence sequence, int index) {
    return index < sequence.elements().size() ? sequence.elements().get(index) : null;
  }

  private @Nullable Object value(Component component, YamlNode.Mapping section, String path) {
    YamlNode written = section.entries().get(component.name());
    YamlNode node = written == null ? component.defaultNode() : written;
    boolean isMissing = node == null && !component.isOptional();
    if (component.isSection() && (isMissing || node instanceof YamlNode.Nothing)) {
      // All keys of the section may be commented out.
      int line = node == null ? section.line() : node.line();
      return section(new YamlNode.Mapping(line, Map.of()), path, component.type());
    }
    if (isMissing) {
      return recordProblem(section, path, "is missing; it has no default");
    }
    return node == null ? null : value(component.type(), component.elementType(), node, path);
  }

  private Object value(Class<?> type, Class<?> elementType, YamlNode node, String path) {
    if (node instanceof YamlNode.Nothing) {
      return recordProblem(node, path, "has no value; leave the key out to have its default");
    }
    if (type == List.class) {
      return list(elementType, node, path);
    }
    if (type == Map.class) {
      return map(elementType, node, path);
    }
    if (Values.isSection(type)) {
      return node instanceof YamlNode.Mapping mapping
          ? section(mapping, path, type)
          : recordProblem(node, path, "must be a section of keys, not " + node.kind());
    }
    return node instanceof YamlNode.Scalar scalar
        ? scalar(type, scalar, path)
        : recordProblem(node, path, "must be a single value, not " + node.kind());
  }

  private Object list(Class<?> elementType, YamlNode node, String path) {
    if (!(node instanceof YamlNode.Sequence sequence)) {
      return recordProblem(node, path, "must be a list such as [a, b], not " + node.kind());
    }
    List<Object> values = new ArrayList<>();
    for (YamlNode element : sequence.elements()) {
      values.add(value(elementType, elementType, element, path + "[" + values.size() + "]"));
    }
    return values.contains(INVALID) ? INVALID : List.copyOf(values);
  }

  /** Returns a map in the file's order. Its keys may be any words, so no key is unknown. */
  private Object map(Class<?> valueType, YamlNode node, String path) {
    if (!(node instanceof YamlNode.Mapping mapping)) {
      return recordProblem(node, path, "must be a map such as {name: value}, not " + node.kind());
    }
    Map<String, Object> values = new LinkedHashMap<>();
    mapping
        .entries()
        .forEach(
            (key, each) -> values.put(key, value(valueType, valueType, each, join(path, key))));
    return values.containsValue(INVALID) ? INVALID : Collections.unmodifiableMap(values);
  }

  private Object scalar(Class<?> type, YamlNode.Scalar scalar, String path) {
    try {
      return Values.parse(type, references.expand(scalar.text()));
    } catch (IllegalArgumentException e) {
      // Shows the value as written in the file: the target of a reference must not be shown. A
      // secret is not even shown as written.
      String shownText = type == Secret.class ? "" : ", not " + Checks.quoted(scalar.text());
      return recordProblem(scalar, path, e.getMessage() + shownText);
    }
  }

  /**
   * Replaces quoted values in a problem by their text in the file, because the target of a
   * reference must not be shown. Removes logins from URLs.
   */
  private String quotedAsWritten(String problem, YamlNode node) {
    String shownText = problem;
    if (node instanceof YamlNode.Mapping mapping) {
      for (YamlNode each : mapping.entries().values()) {
        shownText = quotedAsWritten(shownText, each);
      }
    } else if (node instanceof YamlNode.Sequence sequence) {
      for (YamlNode each : sequence.elements()) {
        shownText = quotedAsWritten(shownText, each);
      }
    } else if (node instanceof YamlNode.Scalar scalar) {
      try {
        String value = references.expand(scalar.text());
        String written = Checks.quoted(scalar.text());
        shownText =
            shownText.replace("'" + value + "'", written).replace(Checks.quoted(value), written);
      } catch (IllegalArgumentException e) {
        return shownText; // the reference has no target that the problem could quote
      }
    }
    return shownText;
  }

  /**
   * Calls the record's constructor. Rethrows the constructor's {@link IllegalArgumentException} if
   * it refuses a value.
   */
  private static Object construct(
      Class<?> type, Map<String, Component> components, Map<String, @Nullable Object> values) {
    try {
      Constructor<?> constructor =
          type.getDeclaredConstructor(
              components.values().stream().map(Component::type).toArray(Class<?>[]::new));
      constructor.setAccessible(true);
      return constructor.newInstance(values.values().toArray());
    } catch (ReflectiveOperationException e) {
      if (e.getCause() instanceof IllegalArgumentException refused) {
        throw refused;
      }
      throw new IllegalStateException(type + " could not be made", e);
    }
  }

  private void recordUnknownKey(String key, YamlNode node, String path, Set<String> known) {
    int colon = key.indexOf(':');
    if (colon > 0 && known.contains(key.substring(0, colon))) {
      // The text after the colon is the value, and may be a password.
      recordProblem(node, join(path, key.substring(0, colon)), "needs a space after its colon");
      return;
    }
    String suggestion =
        Spelling.nearest(key, known)
            .map(nearest -> "did you mean '" + nearest + "'?")
            .orElse("known keys here: " + String.join(", ", known));
    recordProblem(node, join(path, key), "is not a known key; " + suggestion);
  }

  private static String join(String path, String key) {
    return path.isEmpty() ? key : path + "." + key;
  }

  private Object recordProblem(YamlNode node, String path, String problem) {
    problems.add(ConfigException.Problem.of(file, node.line(), path, problem));
    return INVALID;
  }
}
