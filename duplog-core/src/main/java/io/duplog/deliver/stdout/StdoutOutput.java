package io.duplog.deliver.stdout;

import io.duplog.deliver.line.BrokenOutputException;
import io.duplog.deliver.line.LineOutput;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;

/**
 * A stream that can't be cut back. So there is no second try: a failed write breaks it, for a
 * reader that has gone is not coming back, and whoever started the program starts it again.
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
          "sink stdout can't be written (" + e.getMessage() + "): ending, nothing more is settled",
          e);
    }
  }

  /** The kernel has it; there is nothing to flush. */
  @Override
  public void close() throws IOException {
    channel.close();
  }
}
