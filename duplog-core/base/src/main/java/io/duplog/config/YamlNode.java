package io.duplog.config;

import java.util.List;
import java.util.Map;

/** A part of a parsed configuration file, with its line number for error messages. */
sealed interface YamlNode {

  /** Returns the line in the file, counted from 1, or 0 if the node is not from a file. */
  int line();

  /** Returns the kind of node, worded for an administrator, such as {@code a list}. */
  String kind();

  /** Keys and their values, in the file's order. */
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

  /** A single value as text, even if YAML would read it as a number or a boolean. */
  record Scalar(int line, String text) implements YamlNode {
    @Override
    public String kind() {
      return "a single value";
    }
  }

  /** The value of a key that has no value in the file. */
  record Nothing(int line) implements YamlNode {
    @Override
    public String kind() {
      return "nothing";
    }
  }
}
