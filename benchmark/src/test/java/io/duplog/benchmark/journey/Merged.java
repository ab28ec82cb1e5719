package io.duplog.benchmark.journey;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import com.google.common.collect.HashMultiset;
import com.google.common.collect.Multiset;
import com.google.common.collect.Multisets;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** What the bridges delivered of one test's messages; bytes as ISO 8859-1, so that none is lost. */
record Merged(Multiset<String> messages) {

  /**
   * The whole lines of these files that begin with the tag, without it where it is all they say.
   */
  static Merged of(List<JourneyBridge> bridges, String tag) throws IOException {
    Multiset<String> messages = HashMultiset.create();
    for (JourneyBridge bridge : bridges) {
      lines(bridge.output()).stream().filter(line -> line.startsWith(tag)).forEach(messages::add);
    }
    return new Merged(messages);
  }

  /** Every line; a line's end is \n alone, whatever else a message holds. */
  static List<String> lines(Path file) throws IOException {
    List<String> lines = new ArrayList<>();
    if (Files.exists(file)) {
      String text = Files.readString(file, ISO_8859_1);
      int start = 0;
      for (int end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', start)) {
        lines.add(text.substring(start, end));
        start = end + 1;
      }
    }
    return lines;
  }

  /** What was sent and is not there, each as often as it lacks. */
  Multiset<String> lost(Multiset<String> sent) {
    return Multisets.difference(sent, messages);
  }

  /** What is there too often, or was never sent. */
  Multiset<String> surplus(Multiset<String> sent) {
    return Multisets.difference(messages, sent);
  }
}
