package io.duplog.deliver.file;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;

/** The operating system's part of the file sink: one open file that is only appended to. */
interface LogFile extends Closeable {

  /** Opens the file, creating it where there is none. */
  interface Opener {
    LogFile open() throws IOException;
  }

  /** Appends at least one byte, not necessarily all. */
  int write(ByteBuffer bytes) throws IOException;

  long size() throws IOException;

  /** Cuts it off; leaves it alone where it is not longer. */
  void truncate(long size) throws IOException;

  /** Returns when all that was written is on the disk. */
  void force() throws IOException;

  /** Whether there was something behind its last newline when it was opened. */
  boolean beganTorn();

  /** Whether its path still leads to it: it was neither moved away nor removed. */
  boolean isAtItsPath();
}
