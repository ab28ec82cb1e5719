package io.duplog.benchmark.fuzz;

import java.util.List;

/** Something that reads bytes which nobody vouches for. For one thread. */
interface Target {

  /** As it stands in the table: {@code wire decoder}. */
  String name();

  /** Sound inputs, from which the unsound ones are made. */
  List<byte[]> samples();

  /**
   * Reads an input. May refuse it in the way that its documentation names, and in no other.
   *
   * @return whether the input was accepted
   * @throws Exception a finding: an exception that no documentation names, or a broken promise
   */
  boolean read(byte[] input) throws Exception;
}
