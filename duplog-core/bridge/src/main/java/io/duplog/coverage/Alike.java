package io.duplog.coverage;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNullElse;
import static java.util.stream.Collectors.joining;

import com.google.common.base.Strings;
import com.google.common.collect.Sets;
import io.duplog.coverage.Samples.Sample;
import io.duplog.wire.EventHead;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Finds the most similar messages of two streams and describes their difference, to explain why the
 * streams do not match.
 */
final class Alike {
  /** Number of bytes to show on either side of the first difference between two messages. */
  private static final int CONTEXT_BYTES = 60;

  /**
   * Minimum share of the shorter text that two texts must have in common to count as the same
   * message.
   */
  private static final double MIN_SHARE = 0.5;

  /** What each equal part of two events' metadata adds to the share. */
  private static final double PART_SHARE = 0.001;

  /** Most differences that are named of one kind. */
  private static final int MAX_NAMED = 3;

  /** Most characters of the name of a difference. */
  private static final int MAX_NAME = 60;

  /** Most bytes to show of a part of an event's metadata. */
  private static final int MAX_PART_BYTES = 256;

  private static final String ONLY_ONE_EVENT =
      "one stream has events by HEC and the other lines of rsyslog, which never count as the same:"
          + " use one of the two on all nodes";

  private static final Pattern UNPRINTABLE = Pattern.compile("[^ -~]");

  private Alike() {}

  /**
   * Returns the most similar pair with one message from each list, or null if no pair is similar
   * enough.
   */
  static Mismatch.@Nullable Example find(List<Sample> ones, List<Sample> others) {
    Mismatch.@Nullable Example found = null;
    double best = MIN_SHARE;
    for (Sample one : ones) {
      for (Sample other : others) {
        double share = one.identity().equals(other.identity()) ? 0 : share(one, other);
        if (share > best) {
          best = share;
          found = example(one, other);
        }
      }
    }
    return found;
  }

  private static double share(Sample one, Sample other) {
    double texts = isSameJson(one, other) ? 1 : share(one.text(), other.text());
    EventHead event = one.event();
    EventHead otherEvent = other.event();
    if (event == null || otherEvent == null) {
      return texts;
    }
    Sets.SetView<Map.Entry<String, String>> equalParts =
        Sets.intersection(event.parts().entrySet(), otherEvent.parts().entrySet());
    return texts + PART_SHARE * equalParts.size();
  }

  private static boolean isSameJson(Sample one, Sample other) {
    return one.json() != null && one.json().equals(other.json());
  }

  /** Returns the share of the shorter text that is a common beginning or end of both texts. */
  private static double share(String one, String other) {
    int shorter = Math.min(one.length(), other.length());
    int beginning = commonPrefixLength(one, other);
    int end = Math.min(Strings.commonSuffix(one, other).length(), shorter - beginning);
    return shorter == 0 ? 0 : (double) (beginning + end) / shorter;
  }

  private static int commonPrefixLength(String one, String other) {
    return Strings.commonPrefix(one, other).length();
  }

  private static Mismatch.Example example(Sample one, Sample other) {
    String line = line(one);
    String otherLine = line(other);
    int offset = commonPrefixLength(line, otherLine);
    EventHead event = one.event();
    EventHead otherEvent = other.event();
    return new Mismatch.Example(
        excerpt(line, offset),
        excerpt(otherLine, offset),
        offset,
        event != null && otherEvent != null
            ? cause(one, event, other, otherEvent)
            : event == null && otherEvent == null
                ? cause(line, otherLine, one.text(), other.text(), offset)
                : ONLY_ONE_EVENT);
  }

  /** Returns the message, followed by the metadata of an event, with a character for each byte. */
  private static String line(Sample sample) {
    StringBuilder line = new StringBuilder(sample.message());
    EventHead event = sample.event();
    Map<String, String> parts = event == null ? Map.of() : event.parts();
    parts.forEach(
        (name, value) -> {
          String bytes = new String(value.getBytes(UTF_8), ISO_8859_1);
          line.append(' ').append(name).append('=');
          line.append(bytes, 0, Math.min(bytes.length(), MAX_PART_BYTES));
        });
    return line.toString();
  }

  private static String cause(
      String one, String other, String textOne, String textOther, int offset) {
    if (textOne.equals(textOther)) {
      return "the senders' addresses differ: one node sees them translated, or behind a relay";
    }
    if (offset >= Math.min(one.length(), other.length()) || isCut(textOne, textOther)) {
      return "one node cuts what the other has whole: compare their maxMessageSize";
    }
    if (escapes(one, offset) || escapes(other, offset)) {
      return "control characters are escaped differently: compare the nodes' parser settings";
    }
    return "the text differs: compare the nodes' templates; they must not contain anything that a receiver adds";
  }

  private static boolean isCut(String textOne, String textOther) {
    return commonPrefixLength(textOne, textOther) >= Math.min(textOne.length(), textOther.length());
  }

  /**
   * Describes all that may distinguish two events. Their time and fields count in some products
   * only, so these are named only if nothing else differs.
   */
  private static String cause(Sample one, EventHead event, Sample other, EventHead otherEvent) {
    List<String> causes = new ArrayList<>();
    if (event.content() != otherEvent.content()) {
      causes.add("only one event is JSON, or a raw line: compare the clients' formats");
    } else if (!one.text().equals(other.text())) {
      causes.add(textCause(one, other));
    }
    List<String> parts =
        differences(comparable(event), comparable(otherEvent), "").stream()
            .map(pointer -> pointer.substring(1))
            .toList();
    List<String> major = parts.stream().filter(part -> !isMinor(part)).toList();
    if (!major.isEmpty()) {
      causes.add(named(major) + ": compare the clients' settings");
    } else if (!sender(one).equals(sender(other))) {
      causes.add(
          "the senders' addresses differ: compare the field that identity.address-field names");
    }
    if (causes.isEmpty() && !parts.isEmpty()) {
      causes.add(named(parts) + ": these count with some values of identity.product only");
    }
    return causes.isEmpty()
        ? "nothing in the events differs: compare identity in hec.tokens of the nodes"
        : String.join("; ", causes);
  }

  private static boolean isMinor(String part) {
    return part.equals("time") || part.startsWith("fields");
  }

  private static String sender(Sample sample) {
    return sample.message().substring(0, sample.message().length() - sample.text().length());
  }

  private static String textCause(Sample one, Sample other) {
    if (isSameJson(one, other)) {
      return "the JSON's keys have another order: set identity.ignore-key-order on all nodes";
    }
    List<String> members = differences(one.json(), other.json(), "");
    if (!members.isEmpty()) {
      return named(members)
          + " in the JSON: if these parts mean nothing, set identity.ignore on all nodes";
    }
    int offset = commonPrefixLength(one.text(), other.text());
    if (isCut(one.text(), other.text())) {
      return "one text is the beginning of the other: compare the clients' limits and formats";
    }
    return escapes(one.text(), offset) || escapes(other.text(), offset)
        ? "control characters are escaped differently: compare the clients' formats"
        : "the text differs: compare the clients' formats";
  }

  /** Returns an event's metadata, with its fields as a map. */
  private static Map<String, Object> comparable(EventHead event) {
    Map<String, Object> parts = new TreeMap<>(event.parts());
    parts.computeIfPresent(
        "fields", (name, value) -> requireNonNullElse(Sample.json((String) value), value));
    return parts;
  }

  /** Returns pointers to what differs in two values of JSON, such as {@code /meta/id}. */
  private static List<String> differences(
      @Nullable Object one, @Nullable Object other, String pointer) {
    if (one instanceof Map<?, ?> map && other instanceof Map<?, ?> otherMap) {
      return Sets.union(map.keySet(), otherMap.keySet()).stream()
          .flatMap(
              key ->
                  differences(
                      map.get(key),
                      otherMap.get(key),
                      pointer + "/" + String.valueOf(key).replace("~", "~0").replace("/", "~1"))
                      .stream())
          .toList();
    }
    if (one instanceof List<?> list
        && other instanceof List<?> otherList
        && list.size() == otherList.size()) {
      return IntStream.range(0, list.size())
          .boxed()
          .flatMap(i -> differences(list.get(i), otherList.get(i), pointer + "/" + i).stream())
          .toList();
    }
    return pointer.isEmpty() || Objects.equals(one, other) ? List.of() : List.of(pointer);
  }

  private static String named(List<String> pointers) {
    String named =
        pointers.stream()
            .limit(MAX_NAMED)
            .map(pointer -> printable(pointer.substring(0, Math.min(pointer.length(), MAX_NAME))))
            .collect(joining(", "));
    return named
        + (pointers.size() > MAX_NAMED
            ? " and others differ"
            : pointers.size() == 1 ? " differs" : " differ");
  }

  private static boolean escapes(String message, int at) {
    return at < message.length()
        && (message.charAt(at) < ' '
            || message.charAt(at) > 0x7f
            || message.substring(Math.max(0, at - 3), at + 1).matches("(?s).*[#\\\\].*"));
  }

  private static String excerpt(String message, int offset) {
    int from = Math.max(0, offset - CONTEXT_BYTES);
    int to = Math.min(message.length(), offset + CONTEXT_BYTES);
    String around = message.substring(Math.min(from, to), to);
    return (from > 0 ? "..." : "") + printable(around) + (to < message.length() ? "..." : "");
  }

  private static String printable(String text) {
    return UNPRINTABLE
        .matcher(text)
        .replaceAll(each -> String.format(Locale.ROOT, "\\\\x%02x", (int) each.group().charAt(0)));
  }
}
