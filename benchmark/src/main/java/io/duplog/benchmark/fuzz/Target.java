package io.duplog.benchmark.fuzz;

import java.util.List;

/** A reader of untrusted bytes. Not thread-safe. */
interface Target {

  /** Returns the name in the table of results, such as {@code wire decoder}. */
  String name();

  /** Returns sound inputs, from which unsound ones are made. */
  List<byte[]> samples();

  /**
   * Reads an input, and may refuse it only in the documented way.
   *
   * @return whether the input was accepted
   * @throws Exception an undocumented exception or a broken promise, which is a finding
   */
  boolean read(byte[] input) throws Exception;
}
