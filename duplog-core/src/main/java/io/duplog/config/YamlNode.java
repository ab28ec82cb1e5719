package io.duplog.config;

import java.util.List;
import java.util.Map;

/** A node of a YAML file, with the number of its line. */
sealed interface YamlNode {

  /** Returns the line in the file, from 1; 0 if the node is not from a file. */
  int line();

  /** Returns what an administrator calls such a node, such as {@code a list}. */
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

  /** Text, even if YAML would take it for a number or a boolean. */
  record Scalar(int line, String text) implements YamlNode {
    @Override
    public String kind() {
      return "a single value";
    }
  }

  /** Stands for the value of a key that has none. */
  record Nothing(int line) implements YamlNode {
    @Override
    public String kind() {
      return "nothing";
    }
  }
}
