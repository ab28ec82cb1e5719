package io.duplog.benchmark.fuzz;

import java.util.List;

/** A reader of untrusted bytes that the fuzz test feeds with random inputs. Not thread-safe. */
interface Target {

  /** Returns valid inputs, which {@link Mutator} changes at random. */
  List<byte[]> samples();

  /**
   * Reads an input. Rejects it only in the documented way.
   *
   * @return whether the input was accepted
   * @throws Exception an undocumented exception or a broken promise, which is a finding
   */
  boolean read(byte[] input) throws Exception;
}
