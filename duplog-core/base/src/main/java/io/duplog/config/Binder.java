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
 * Makes records from YAML nodes. Goes on after an error, so that all errors are reported that can
 * be found. A record with a wrong value is not made, so that its constructor can't compare its
 * values. To be used for one file.
 */
final class Binder {
  /** Placeholder for a value that can't be used and whose problem is already recorded. */
  private static final Object WRONG = new Object();

  private final String file;
  private final References references;
  private final boolean everyKeyIsKnown;
  private final List<ConfigException.Problem> problems = new ArrayList<>();

  /**
   * @param everyKeyIsKnown whether a key that the record does not have is an error
   */
  Binder(String file, References references, boolean everyKeyIsKnown) {
    this.file = file;
    this.references = references;
    this.everyKeyIsKnown = everyKeyIsKnown;
  }

  /** Makes a record from a whole file; throws if any problem was found. */
  <T> T bind(YamlNode.Mapping whole, Class<T> type) throws ConfigException {
    Object made = section(whole, "", type);
    if (!problems.isEmpty()) {
      throw new ConfigException(problems);
    }
    return type.cast(made);
  }

  private Object section(YamlNode.Mapping section, String path, Class<?> type) {
    int before = problems.size();
    Map<String, Component> components = Component.of(type);
    for (Map.Entry<String, YamlNode> entry : section.entries().entrySet()) {
      if (everyKeyIsKnown && !components.containsKey(entry.getKey())) {
        unknown(entry.getKey(), entry.getValue(), path, components.keySet());
      }
    }
    Map<String, @Nullable Object> values = new LinkedHashMap<>();
    components.forEach((key, each) -> values.put(key, value(each, section, join(path, key))));
    Object made =
        values.containsValue(WRONG) ? WRONG : made(type, components, values, section, path);
    return problems.size() == before ? made : WRONG;
  }

  /**
   * Makes the record. If the constructor refuses a value, tries again with the value's default, to
   * find what else it refuses.
   */
  private Object made(
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
          return WRONG;
        }
        YamlNode refusedNode = section.entries().getOrDefault(e.key(), section);
        wrong(refusedNode, join(path, e.key()), asWritten(e.problem(), refusedNode));
        Component component = components.get(e.key());
        if (component == null || !component.hasDefault()) {
          return WRONG;
        }
        Object standard = value(component, new YamlNode.Mapping(0, Map.of()), e.key());
        if (standard == WRONG) {
          return WRONG;
        }
        values.put(e.key(), standard);
      } catch (IllegalArgumentException e) {
        return wrong(section, path, "is refused: " + asWritten("" + e.getMessage(), section));
      }
    }
  }

  private @Nullable Object value(Component component, YamlNode.Mapping section, String path) {
    YamlNode written = section.entries().get(component.name());
    YamlNode node = written == null ? component.defaultNode() : written;
    boolean isAbsent = node == null && !component.isOptional();
    if (component.isSection() && (isAbsent || node instanceof YamlNode.Nothing)) {
      // The keys of the section may all be commented out.
      int line = node == null ? section.line() : node.line();
      return section(new YamlNode.Mapping(line, Map.of()), path, component.type());
    }
    if (isAbsent) {
      return wrong(section, path, "is missing; it has no default");
    }
    return node == null ? null : value(component.type(), component.elementType(), node, path);
  }

  private Object value(Class<?> type, Class<?> elementType, YamlNode node, String path) {
    if (node instanceof YamlNode.Nothing) {
      return wrong(node, path, "has no value; leave the key out to have its default");
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
          : wrong(node, path, "must be a section of keys, not " + node.kind());
    }
    return node instanceof YamlNode.Scalar scalar
        ? scalar(type, scalar, path)
        : wrong(node, path, "must be a single value, not " + node.kind());
  }

  private Object list(Class<?> elementType, YamlNode node, String path) {
    if (!(node instanceof YamlNode.Sequence sequence)) {
      return wrong(node, path, "must be a list such as [a, b], not " + node.kind());
    }
    List<Object> values = new ArrayList<>();
    for (YamlNode element : sequence.elements()) {
      values.add(value(elementType, elementType, element, path + "[" + values.size() + "]"));
    }
    return values.contains(WRONG) ? WRONG : List.copyOf(values);
  }

  /**
   * Returns a map in the file's order. Its keys may be any words, so none of them is an unknown
   * key.
   */
  private Object map(Class<?> valueType, YamlNode node, String path) {
    if (!(node instanceof YamlNode.Mapping mapping)) {
      return wrong(node, path, "must be a map such as {name: value}, not " + node.kind());
    }
    Map<String, Object> values = new LinkedHashMap<>();
    mapping
        .entries()
        .forEach(
            (key, each) -> values.put(key, value(valueType, valueType, each, join(path, key))));
    return values.containsValue(WRONG) ? WRONG : Collections.unmodifiableMap(values);
  }

  private Object scalar(Class<?> type, YamlNode.Scalar scalar, String path) {
    try {
      return Values.parse(type, references.expand(scalar.text()));
    } catch (IllegalArgumentException e) {
      // The value as it was written, because what a reference led to must not be shown. A secret is
      // not even shown as it was written.
      String shown = type == Secret.class ? "" : ", not " + Checks.quoted(scalar.text());
      return wrong(scalar, path, e.getMessage() + shown);
    }
  }

  /**
   * Returns a problem with the values that it quotes as they were written, because what a reference
   * led to must not be shown, and without logins in URLs.
   */
  private String asWritten(String problem, YamlNode node) {
    String shown = problem;
    if (node instanceof YamlNode.Mapping mapping) {
      for (YamlNode each : mapping.entries().values()) {
        shown = asWritten(shown, each);
      }
    } else if (node instanceof YamlNode.Sequence sequence) {
      for (YamlNode each : sequence.elements()) {
        shown = asWritten(shown, each);
      }
    } else if (node instanceof YamlNode.Scalar scalar) {
      try {
        String value = references.expand(scalar.text());
        String written = Checks.quoted(scalar.text());
        shown = shown.replace("'" + value + "'", written).replace(Checks.quoted(value), written);
      } catch (IllegalArgumentException e) {
        return shown; // it leads nowhere, so nothing can quote what it led to
      }
    }
    return shown;
  }

  /**
   * Calls the record's constructor, and rethrows the {@link IllegalArgumentException} by which the
   * constructor refuses a value.
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

  private void unknown(String key, YamlNode node, String path, Set<String> known) {
    int colon = key.indexOf(':');
    if (colon > 0 && known.contains(key.substring(0, colon))) {
      // What follows the colon is the value, and may be a password.
      wrong(node, join(path, key.substring(0, colon)), "lacks the blank behind its colon");
      return;
    }
    String meant =
        Spelling.nearest(key, known)
            .map(nearest -> "did you mean '" + nearest + "'?")
            .orElse("known keys here: " + String.join(", ", known));
    wrong(node, join(path, key), "is not a known key; " + meant);
  }

  private static String join(String path, String key) {
    return path.isEmpty() ? key : path + "." + key;
  }

  private Object wrong(YamlNode node, String path, String problem) {
    problems.add(ConfigException.Problem.of(file, node.line(), path, problem));
    return WRONG;
  }
}
