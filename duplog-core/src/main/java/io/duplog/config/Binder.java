package io.duplog.config;

import com.google.common.base.Splitter;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Makes records of nodes. Goes on after an error, so that all are told that can be found: only a
 * record of which a value is wrong is not made, so that it can't look at the others together.
 */
final class Binder {
  private static final Splitter ELEMENTS = Splitter.on(',').trimResults().omitEmptyStrings();
  private static final Splitter.MapSplitter ENTRIES = ELEMENTS.withKeyValueSeparator(": ");

  private final String file;
  private final References references;
  private final boolean everyKeyIsKnown;

  /**
   * @param everyKeyIsKnown whether a key that the record does not have is an error
   */
  Binder(String file, References references, boolean everyKeyIsKnown) {
    this.file = file;
    this.references = references;
    this.everyKeyIsKnown = everyKeyIsKnown;
  }

  /**
   * @param path of the section; empty for the whole file
   */
  <T> T section(YamlNode.Mapping section, String path, Class<T> type) throws ConfigException {
    Map<String, RecordComponent> components = new LinkedHashMap<>();
    for (RecordComponent component : type.getRecordComponents()) {
      components.put(KeyNames.ofComponent(component.getName()), component);
    }
    ConfigException unknown = null;
    for (Map.Entry<String, YamlNode> entry : section.entries().entrySet()) {
      if (everyKeyIsKnown && !components.containsKey(entry.getKey())) {
        unknown = unknown(entry.getKey(), entry.getValue(), path, components).and(unknown);
      }
    }
    ConfigException wrong = unknown;
    List<@Nullable Object> arguments = new ArrayList<>();
    for (Map.Entry<String, RecordComponent> entry : components.entrySet()) {
      YamlNode node = section.entries().get(entry.getKey());
      try {
        arguments.add(component(entry.getValue(), node, section, join(path, entry.getKey())));
      } catch (ConfigException e) {
        wrong = e.and(wrong);
      }
    }
    if (arguments.size() < components.size()) {
      throw Objects.requireNonNull(wrong);
    }
    T made = checked(type, arguments, section, path, wrong);
    if (wrong != null) {
      throw wrong;
    }
    return made;
  }

  /**
   * Makes the record. A value that it refuses is replaced by its default, to find what else it
   * refuses.
   */
  private <T> T checked(
      Class<T> type,
      List<@Nullable Object> arguments,
      YamlNode.Mapping section,
      String path,
      @Nullable ConfigException before)
      throws ConfigException {
    ConfigException wrong = before;
    Set<String> refused = new HashSet<>();
    while (true) {
      try {
        T made = construct(type, arguments);
        if (refused.isEmpty()) {
          return made;
        }
        throw Objects.requireNonNull(wrong);
      } catch (InvalidValueException e) {
        boolean again = !refused.add(e.key());
        if (!again) {
          YamlNode node = section.entries().getOrDefault(e.key(), section);
          wrong = wrong(node, join(path, e.key()), e.problem()).and(wrong);
        }
        if (again || !replaceByDefault(e.key(), type, arguments)) {
          throw Objects.requireNonNull(wrong);
        }
      } catch (IllegalArgumentException e) {
        throw wrong(section, path, "is refused: " + e.getMessage()).and(wrong);
      }
    }
  }

  private boolean replaceByDefault(String name, Class<?> type, List<@Nullable Object> arguments)
      throws ConfigException {
    RecordComponent[] components = type.getRecordComponents();
    for (int i = 0; i < components.length; i++) {
      String standard = key(components[i]).defaultValue();
      if (KeyNames.ofComponent(components[i].getName()).equals(name)
          && !standard.equals(Key.NONE)) {
        Class<?> valueType = components[i].getType();
        YamlNode node = defaultNode(valueType, standard);
        arguments.set(i, value(valueType, components[i].getGenericType(), node, name));
        return true;
      }
    }
    return false;
  }

  private @Nullable Object component(
      RecordComponent component, @Nullable YamlNode node, YamlNode.Mapping section, String path)
      throws ConfigException {
    Key key = key(component);
    Class<?> type = component.getType();
    boolean isSection = Values.isSection(type);
    if (isSection && node instanceof YamlNode.Nothing nothing) {
      // A section whose keys are all commented out.
      return section(new YamlNode.Mapping(nothing.line(), Map.of()), path, type);
    }
    if (node != null) {
      return value(type, component.getGenericType(), node, path);
    }
    if (!key.defaultValue().equals(Key.NONE)) {
      YamlNode standard = defaultNode(type, key.defaultValue());
      return value(type, component.getGenericType(), standard, path);
    }
    if (component.getAnnotatedType().isAnnotationPresent(Nullable.class)) {
      return null;
    }
    if (isSection) {
      return section(new YamlNode.Mapping(section.line(), Map.of()), path, type);
    }
    throw ConfigException.at(file, section.line(), path, "is missing; it has no default");
  }

  private Object value(Class<?> type, Type genericType, YamlNode node, String path)
      throws ConfigException {
    if (node instanceof YamlNode.Nothing) {
      throw wrong(node, path, "has no value; leave the key out to have its default");
    }
    if (type == List.class) {
      return list(argument(genericType, 0), node, path);
    }
    if (type == Map.class) {
      return map(argument(genericType, 1), node, path);
    }
    if (Values.isSection(type)) {
      if (node instanceof YamlNode.Mapping mapping) {
        return section(mapping, path, type);
      }
      throw wrong(node, path, "must be a section of keys, not " + node.kind());
    }
    if (node instanceof YamlNode.Scalar scalar) {
      return scalar(type, scalar, path);
    }
    throw wrong(node, path, "must be a single value, not " + node.kind());
  }

  private List<Object> list(Class<?> elementType, YamlNode node, String path)
      throws ConfigException {
    if (!(node instanceof YamlNode.Sequence sequence)) {
      throw wrong(node, path, "must be a list such as [a, b], not " + node.kind());
    }
    List<Object> values = new ArrayList<>();
    ConfigException wrong = null;
    for (int i = 0; i < sequence.elements().size(); i++) {
      try {
        values.add(
            value(elementType, elementType, sequence.elements().get(i), path + "[" + i + "]"));
      } catch (ConfigException e) {
        wrong = e.and(wrong);
      }
    }
    if (wrong != null) {
      throw wrong;
    }
    return List.copyOf(values);
  }

  /** In the file's order. The keys are the file's own words, so there is none to be mistyped. */
  private Map<String, Object> map(Class<?> valueType, YamlNode node, String path)
      throws ConfigException {
    if (!(node instanceof YamlNode.Mapping mapping)) {
      throw wrong(node, path, "must be a map such as {name: value}, not " + node.kind());
    }
    Map<String, Object> values = new LinkedHashMap<>();
    ConfigException wrong = null;
    for (Map.Entry<String, YamlNode> entry : mapping.entries().entrySet()) {
      String key = entry.getKey();
      try {
        values.put(key, value(valueType, valueType, entry.getValue(), join(path, key)));
      } catch (ConfigException e) {
        wrong = e.and(wrong);
      }
    }
    if (wrong != null) {
      throw wrong;
    }
    return Collections.unmodifiableMap(values);
  }

  private Object scalar(Class<?> type, YamlNode.Scalar scalar, String path) throws ConfigException {
    try {
      return Values.parse(type, references.expand(scalar.text()));
    } catch (IllegalArgumentException e) {
      // As written, so that what a reference led to is not shown; a secret not even so.
      String shown = type == Secret.class ? "" : ", not '" + scalar.text() + "'";
      throw wrong(scalar, path, e.getMessage() + shown);
    }
  }

  /** Throws what the constructor throws. */
  private static <T> T construct(Class<T> type, List<@Nullable Object> arguments) {
    RecordComponent[] components = type.getRecordComponents();
    Class<?>[] parameters = new Class<?>[components.length];
    for (int i = 0; i < components.length; i++) {
      parameters[i] = components[i].getType();
    }
    try {
      Constructor<T> constructor = type.getDeclaredConstructor(parameters);
      constructor.setAccessible(true);
      return constructor.newInstance(arguments.toArray());
    } catch (InvocationTargetException e) {
      if (e.getCause() instanceof IllegalArgumentException refused) {
        throw refused;
      }
      throw new IllegalStateException(type + " could not be made", e);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(type + " could not be made", e);
    }
  }

  private ConfigException unknown(
      String key, YamlNode node, String path, Map<String, RecordComponent> known) {
    String meant =
        Spelling.nearest(key, known.keySet())
            .map(nearest -> "did you mean '" + nearest + "'?")
            .orElse("known keys here: " + String.join(", ", known.keySet()));
    return wrong(node, join(path, key), "is not a known key; " + meant);
  }

  private static YamlNode defaultNode(Class<?> type, String text) {
    if (type == Map.class) {
      Map<String, YamlNode> entries = new LinkedHashMap<>();
      ENTRIES.split(text).forEach((key, value) -> entries.put(key, new YamlNode.Scalar(0, value)));
      return new YamlNode.Mapping(0, entries);
    }
    if (type != List.class) {
      return new YamlNode.Scalar(0, text);
    }
    List<YamlNode> elements = new ArrayList<>();
    for (String element : ELEMENTS.split(text)) {
      elements.add(new YamlNode.Scalar(0, element));
    }
    return new YamlNode.Sequence(0, elements);
  }

  private static Class<?> argument(Type genericType, int index) {
    return (Class<?>) ((ParameterizedType) genericType).getActualTypeArguments()[index];
  }

  private static Key key(RecordComponent component) {
    Key key = component.getAnnotation(Key.class);
    if (key == null) {
      throw new IllegalStateException(component + " lacks its @Key");
    }
    return key;
  }

  private static String join(String path, String key) {
    return path.isEmpty() ? key : path + "." + key;
  }

  private ConfigException wrong(YamlNode node, String path, String problem) {
    return ConfigException.at(file, node.line(), path, problem);
  }
}
