package io.duplog.dedup;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A place where the bridges that share a ledger tell each other what they saw of the streams. A
 * heartbeat reaches only one of the bridges that read a queue, and each bridge settles only a part
 * of what the queue brings. Notes do not influence what is kept, dropped or settled. Safe for any
 * thread.
 */
public interface BridgeNotes {

  /**
   * What one bridge saw.
   *
   * @param subject what the note is about; of two notes on one subject the later observation counts
   * @param text what the bridge saw
   * @param ageMillis time since the bridge saw it, at the moment of the call
   */
  record Note(String subject, String text, long ageMillis) {}

  /** A part of a bridge that posts and reads {@link Note}s. One thread calls all its methods. */
  interface Member {

    /** Returns the notes that this part wants all bridges to read. */
    List<Note> notes();

    /** Called after each exchange of notes, with the notes of all bridges, including this one. */
    void read(List<Note> all);
  }

  /**
   * Returns the subject under which a bridge notes the name that a stream's broker gives itself.
   */
  static String brokerOf(String stream) {
    return stream + " broker";
  }

  /**
   * Returns the name of a bridge that Redis has refused because it reads other brokers, from the
   * {@link Note#subject()} of the note that Redis makes of it; null if the note is on something
   * else.
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
   * Posts notes, and returns the notes of all bridges, including this one's.
   *
   * @throws LedgerUnavailableException if the store can't be asked
   */
  List<Note> exchange(List<Note> own) throws LedgerUnavailableException;
}
