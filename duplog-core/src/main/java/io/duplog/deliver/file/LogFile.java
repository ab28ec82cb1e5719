package io.duplog.deliver.file;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;

/** An open file that the sink appends to; tests replace it to make the operating system fail. */
interface LogFile extends Closeable {

  /** Opens the file, and creates it if there is none. */
  interface Opener {
    LogFile open() throws IOException;
  }

  /** Appends at least one of the bytes, not necessarily all. */
  int write(ByteBuffer bytes) throws IOException;

  long size() throws IOException;

  /** Cuts the file off at a size; a shorter file stays as it is. */
  void truncate(long size) throws IOException;

  /** Forces all that was written to the disk (fsync). */
  void force() throws IOException;

  /** Whether the file did not end with a newline when it was opened. */
  boolean beganTorn();

  /** Whether the path still leads to this file, so that it was neither moved away nor removed. */
  boolean isAtItsPath();
}
