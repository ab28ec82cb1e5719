package io.duplog.deliver.file;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * The open file that the file sink appends to. The type is an interface so that tests can make
 * writing fail.
 */
interface LogFile extends Closeable {

  /** Opens the file, and creates it if it does not exist. */
  interface Opener {
    LogFile open() throws IOException;
  }

  /** Appends at least one of the remaining bytes, not necessarily all. */
  int write(ByteBuffer bytes) throws IOException;

  long size() throws IOException;

  /** Truncates the file to this size. A shorter file stays unchanged. */
  void truncate(long size) throws IOException;

  /** Forces everything that was written to the disk (fsync). */
  void force() throws IOException;

  /** Whether the file did not end with a newline when it was opened. */
  boolean beganTorn();

  /** Whether the path still leads to this file, so that it was neither moved away nor removed. */
  boolean isAtItsPath();
}
