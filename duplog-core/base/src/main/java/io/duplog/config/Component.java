package io.duplog.config;

import com.google.common.base.Splitter;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One key of the configuration, described by its name, type and default.
 *
 * @param name the key as written in the file
 * @param elementType type of a list's elements or of a map's values; for any other component, the
 *     same as {@code type}
 * @param isOptional whether the key may be absent without having a default
 */
record Component(String name, Key key, Class<?> type, Class<?> elementType, boolean isOptional) {
  private static final Splitter ELEMENTS = Splitter.on(',').trimResults().omitEmptyStrings();
  private static final Splitter.MapSplitter ENTRIES = ELEMENTS.withKeyValueSeparator(": ");

  /** Returns all components of a record type by their keys in the file, in the record's order. */
  static Map<String, Component> of(Class<?> type) {
    Map<String, Component> components = new LinkedHashMap<>();
    for (RecordComponent component : type.getRecordComponents()) {
      Component created = of(component);
      components.put(created.name, created);
    }
    return components;
  }

  private static Component of(RecordComponent component) {
    Key key = component.getAnnotation(Key.class);
    if (key == null) {
      throw new IllegalStateException(component + " lacks its @Key");
    }
    Class<?> elementType = component.getType();
    if (component.getGenericType() instanceof ParameterizedType generic) {
      Type[] arguments = generic.getActualTypeArguments();
      elementType = (Class<?>) arguments[arguments.length - 1];
    }
    return new Component(
        name(component),
        key,
        component.getType(),
        elementType,
        component.getAnnotatedType().isAnnotationPresent(Nullable.class));
  }

  /** Returns the key of a record's component, as written in the file. */
  static String name(RecordComponent component) {
    return component.getName().replaceAll("([a-z0-9])([A-Z])", "$1-$2").toLowerCase(Locale.ROOT);
  }

  boolean isSection() {
    return Values.isSection(type);
  }

  boolean hasDefault() {
    return !key.defaultValue().equals(Key.NONE);
  }

  /**
   * Returns the default value as if it were written in the file, or null if there is no default.
   */
  @Nullable YamlNode defaultNode() {
    String text = key.defaultValue();
    if (!hasDefault()) {
      return null;
    }
    if (type == Map.class) {
      Map<String, YamlNode> entries = new LinkedHashMap<>();
      ENTRIES
          .split(text)
          .forEach((name, value) -> entries.put(name, new YamlNode.Scalar(0, value)));
      return new YamlNode.Mapping(0, entries);
    }
    if (type == List.class) {
      return new YamlNode.Sequence(
          0,
          ELEMENTS
              .splitToStream(text)
              .<YamlNode>map(each -> new YamlNode.Scalar(0, each))
              .toList());
    }
    return new YamlNode.Scalar(0, text);
  }
}
