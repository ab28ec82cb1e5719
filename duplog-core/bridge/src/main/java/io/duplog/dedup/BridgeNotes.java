package io.duplog.dedup;

import com.google.common.base.Joiner;
import com.google.common.base.Splitter;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Lets bridges that share a ledger tell each other what they see, such as heartbeats, brokers and
 * settings. A heartbeat reaches only one of the bridges that read a queue, and each bridge settles
 * only a part of the queue's batches. Notes do not influence which copies are kept, dropped or
 * settled. Thread-safe.
 */
public interface BridgeNotes {

  /**
   * A single observation of one bridge.
   *
   * @param subject what the note is about. Of two notes on one subject, the later observation
   *     counts.
   * @param text the observation
   * @param ageMillis time from the observation to the call, in milliseconds
   */
  record Note(String subject, String text, long ageMillis) {
    private static final Joiner.MapJoiner LINES = Joiner.on('\n').withKeyValueSeparator('=');
    private static final Splitter.MapSplitter KEYS =
        Splitter.on('\n').withKeyValueSeparator(Splitter.on('=').limit(2));

    /**
     * Returns a note of now whose text has a line for each key.
     *
     * @param values values by key, without line feeds
     */
    public static Note ofValues(String subject, Map<String, String> values) {
      return new Note(subject, LINES.join(values), 0);
    }

    /** Returns the values by key; empty if another version wrote the text in another form. */
    public Map<String, String> values() {
      try {
        return KEYS.split(text);
      } catch (IllegalArgumentException e) {
        return Map.of();
      }
    }
  }

  /**
   * A part of a bridge that posts and reads {@link Note}s. A single thread calls all its methods.
   */
  interface Member {

    /** Returns the notes that this part posts for all bridges. */
    List<Note> notes();

    /** Called after each exchange, with the notes of all bridges, including this one. */
    void read(List<Note> all);
  }

  /** Returns the subject of notes on the identity of a stream's broker. */
  static String brokerOf(String stream) {
    return stream + " broker";
  }

  /**
   * Returns the name of a bridge that Redis rejects because it reads other brokers, or null if the
   * note has another subject. Redis itself posts such notes.
   *
   * @param subject a note's {@link Note#subject()}
   */
  static @Nullable String refusedBridge(String subject) {
    return subject.startsWith("refused ")
        ? configuredName(subject.substring("refused ".length()))
        : null;
  }

  /** Returns a bridge's configured name, given the name of its process in Redis. */
  static String configuredName(String process) {
    return process.replaceFirst("#[^#]*$", "");
  }

  /** Returns the {@link Note#subject()} of notes on the last heartbeat from a stream's shim. */
  static String heartbeatOf(String stream) {
    return stream + " heartbeat";
  }

  /**
   * Posts notes and returns the notes of all bridges, including this one's.
   *
   * @throws LedgerUnavailableException if the store can't be asked
   */
  List<Note> exchange(List<Note> own) throws LedgerUnavailableException;
}
