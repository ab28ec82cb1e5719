package io.duplog.deliver.line;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Simulates a file or standard output for tests of the sink that writes lines; it fails when a test
 * tells it to.
 */
class FakeOutput implements LineOutput {
  final ByteArrayOutputStream written = new ByteArrayOutputStream();
  final List<String> calls = new ArrayList<>();
  @Nullable IOException onPrepare;
  @Nullable IOException onAppend;
  @Nullable IOException onCommit;
  int takesBytes = Integer.MAX_VALUE;
  volatile boolean closed;

  String text() {
    return written.toString(ISO_8859_1);
  }

  @Override
  public String name() {
    return "fake";
  }

  @Override
  public void prepare() throws IOException {
    if (onPrepare != null) {
      throw onPrepare;
    }
  }

  @Override
  public void mark() {
    calls.add("mark");
  }

  @Override
  public void append(ByteBuffer lines) throws IOException {
    calls.add("append");
    if (onAppend != null) {
      int take = Math.min(takesBytes, lines.remaining());
      for (int i = 0; i < take; i++) {
        written.write(lines.get());
      }
      throw onAppend;
    }
    while (lines.hasRemaining()) {
      written.write(lines.get());
    }
  }

  @Override
  public void commit() throws IOException {
    calls.add("commit");
    if (onCommit != null) {
      throw onCommit;
    }
  }

  @Override
  public void close() {
    closed = true;
  }
}
