package io.duplog.dedup;

import java.util.List;

/**
 * Where the bridges that share a ledger tell each other what they saw of the streams: a heartbeat
 * reaches one of the bridges that read a queue, and each settles a part of what the queue brings.
 * Nothing that is posted counts for what is kept, dropped or settled. Safe for any thread.
 */
public interface Board {

  /**
   * What a bridge saw.
   *
   * @param subject what it is about; of two notes on one subject the later sight counts
   * @param text what was seen
   * @param ageMillis how long ago, at the time of the call
   */
  record Note(String subject, String text, long ageMillis) {}

  /** What takes part in an exchange. Its methods are called by one thread. */
  interface Member {

    /** The notes to post. */
    List<Note> notes();

    /** Called after an exchange, with everyone's notes. */
    void read(List<Note> all);
  }

  /** The subject under which a bridge notes what a stream's broker calls itself. */
  static String brokerOf(String stream) {
    return stream + " broker";
  }

  /** The subject under which a bridge notes the last heartbeat of a stream's shim. */
  static String heartbeatOf(String stream) {
    return stream + " heartbeat";
  }

  /**
   * Posts notes and reads everyone's, the own ones included.
   *
   * @throws LedgerUnavailableException where the store can't be asked
   */
  List<Note> exchange(List<Note> own) throws LedgerUnavailableException;
}
