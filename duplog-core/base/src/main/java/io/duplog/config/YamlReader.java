package io.duplog.config;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.events.AliasEvent;
import org.yaml.snakeyaml.events.Event;
import org.yaml.snakeyaml.events.MappingEndEvent;
import org.yaml.snakeyaml.events.MappingStartEvent;
import org.yaml.snakeyaml.events.NodeEvent;
import org.yaml.snakeyaml.events.ScalarEvent;
import org.yaml.snakeyaml.events.SequenceEndEvent;
import org.yaml.snakeyaml.events.SequenceStartEvent;
import org.yaml.snakeyaml.parser.Parser;
import org.yaml.snakeyaml.parser.ParserImpl;
import org.yaml.snakeyaml.reader.StreamReader;

/**
 * Reads a configuration file in YAML, and keeps each value's text as written. It uses the parser's
 * events, before YAML infers types, so that {@code no} and {@code 0640} keep their text. Refuses
 * anchors, aliases and tags, because they make a configuration hard to read.
 *
 * @see "docs/decisions/configuration.md#configuration-reader"
 */
final class YamlReader {
  private static final int MAX_DEPTH = 20;

  private final String file;
  private final Parser parser;

  private YamlReader(String file, String text) {
    this.file = file;
    this.parser = new ParserImpl(new StreamReader(text), new LoaderOptions());
  }

  /** Parses a file's text, and returns the file's keys. An empty file has no keys. */
  static YamlNode.Mapping read(String file, String text) throws ConfigException {
    try {
      return new YamlReader(file, text).document();
    } catch (MarkedYAMLException e) {
      int line = e.getProblemMark() == null ? 1 : e.getProblemMark().getLine() + 1;
      throw ConfigException.at(file, line, "", "is not valid YAML: " + problem(e));
    } catch (YAMLException e) {
      // Thrown by the StreamReader for characters that YAML does not allow.
      throw ConfigException.at(file, 0, "", "has characters that YAML does not allow");
    }
  }

  /**
   * Returns the problem without the excerpt of the file in the exception's message, which may be a
   * secret.
   */
  private static String problem(MarkedYAMLException e) {
    String problem = String.valueOf(e.getProblem()).replaceAll("tag handle .*", "tag handle");
    return e.getContext() == null ? problem : e.getContext() + ", " + problem;
  }

  private YamlNode.Mapping document() throws ConfigException {
    next(); // the stream's start
    if (parser.checkEvent(Event.ID.StreamEnd)) {
      return new YamlNode.Mapping(1, Map.of());
    }
    next(); // the document's start
    YamlNode root = node(next(), "", 0);
    next(); // the document's end
    if (!parser.checkEvent(Event.ID.StreamEnd)) {
      throw exception(
          parser.peekEvent(), "", "has a second YAML document; one file is one document");
    }
    if (root instanceof YamlNode.Mapping mapping) {
      return mapping;
    }
    if (root instanceof YamlNode.Nothing) {
      return new YamlNode.Mapping(1, Map.of());
    }
    throw ConfigException.at(
        file, root.line(), "", "must hold keys such as 'name: value', not " + root.kind());
  }

  private YamlNode node(Event event, String path, int depth) throws ConfigException {
    if (depth > MAX_DEPTH) {
      throw exception(event, path, "is nested too deeply");
    }
    int line = line(event);
    if (event instanceof AliasEvent
        || (event instanceof NodeEvent node && node.getAnchor() != null)) {
      throw exception(
          event, path, "has a YAML anchor or alias; put a value with '&' or '*' into quotes");
    }
    if (event instanceof MappingStartEvent start) {
      refuseTag(event, path, start.getTag());
      return mapping(line, path, depth);
    }
    if (event instanceof SequenceStartEvent start) {
      refuseTag(event, path, start.getTag());
      List<YamlNode> elements = new ArrayList<>();
      for (Event e = next(); !(e instanceof SequenceEndEvent); e = next()) {
        elements.add(node(e, path + "[" + elements.size() + "]", depth + 1));
      }
      return new YamlNode.Sequence(line, elements);
    }
    if (event instanceof ScalarEvent scalar) {
      refuseTag(event, path, scalar.getTag());
      boolean isEmpty =
          scalar.isPlain() && (scalar.getValue().isEmpty() || scalar.getValue().equals("~"));
      return isEmpty ? new YamlNode.Nothing(line) : new YamlNode.Scalar(line, scalar.getValue());
    }
    throw exception(event, path, "has something that is neither a key, a value nor a list");
  }

  private YamlNode.Mapping mapping(int line, String path, int depth) throws ConfigException {
    Map<String, YamlNode> entries = new LinkedHashMap<>();
    for (Event e = next(); !(e instanceof MappingEndEvent); e = next()) {
      if (!(node(e, path, depth + 1) instanceof YamlNode.Scalar key)) {
        throw exception(e, path, "has a key that is not a word");
      }
      String keyPath = path.isEmpty() ? key.text() : path + "." + key.text();
      YamlNode earlier = entries.get(key.text());
      if (earlier != null) {
        throw exception(e, keyPath, "is there twice, first in line " + earlier.line());
      }
      entries.put(key.text(), node(next(), keyPath, depth + 1));
    }
    return new YamlNode.Mapping(line, entries);
  }

  private void refuseTag(Event event, String path, @Nullable String tag) throws ConfigException {
    if (tag != null) {
      throw exception(event, path, "has a YAML tag; put a value that begins with '!' into quotes");
    }
  }

  private Event next() {
    return parser.getEvent();
  }

  private ConfigException exception(Event event, String path, String problem) {
    return ConfigException.at(file, line(event), path, problem);
  }

  private static int line(Event event) {
    return event.getStartMark().getLine() + 1;
  }
}
