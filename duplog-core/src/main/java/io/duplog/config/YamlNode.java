package io.duplog.config;

import java.util.List;
import java.util.Map;

/** A piece of a YAML file that knows where it stands. */
sealed interface YamlNode {

  /** Counted from 1; 0 where the node is not from a file. */
  int line();

  /** What an administrator would call it. */
  String kind();

  /** Keys with their values, in the file's order. */
  record Mapping(int line, Map<String, YamlNode> entries) implements YamlNode {
    @Override
    public String kind() {
      return "a section";
    }
  }

  record Sequence(int line, List<YamlNode> elements) implements YamlNode {
    @Override
    public String kind() {
      return "a list";
    }
  }

  /** Text, whether or not YAML would take it for a number or a boolean. */
  record Scalar(int line, String text) implements YamlNode {
    @Override
    public String kind() {
      return "a single value";
    }
  }

  /** A key with nothing behind it. */
  record Nothing(int line) implements YamlNode {
    @Override
    public String kind() {
      return "nothing";
    }
  }
}
