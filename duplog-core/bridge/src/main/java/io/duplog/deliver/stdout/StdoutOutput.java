package io.duplog.deliver.stdout;

import io.duplog.deliver.line.BrokenOutputException;
import io.duplog.deliver.line.LineOutput;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;

/**
 * Writes the merged stream's lines to standard output. Standard output can't be truncated after a
 * failed write, so no write is retried. The first failure ends the process, because a reader that
 * has closed the pipe does not come back. The program that started the process restarts it.
 */
record StdoutOutput(WritableByteChannel channel) implements LineOutput {

  @Override
  public String name() {
    return "sink stdout";
  }

  @Override
  public void append(ByteBuffer lines) throws IOException {
    try {
      while (lines.hasRemaining()) {
        channel.write(lines);
      }
    } catch (IOException e) {
      throw new BrokenOutputException(
          "sink stdout can't be written (" + e.getMessage() + "). Check its reader.", e);
    }
  }

  /**
   * Closes the channel. Nothing needs to be flushed, because the kernel has all that was written.
   */
  @Override
  public void close() throws IOException {
    channel.close();
  }
}
