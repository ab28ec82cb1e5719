package io.duplog.benchmark.load;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;

/** Answers batches as a shim does whose rsyslog wants confirmations. */
final class FakeShim {
  static final String BEGIN = "BEGIN 1";
  static final String COMMIT = "COMMIT 1";
  private static final byte[] END = {};

  private final LinkedBlockingQueue<byte[]> answered = new LinkedBlockingQueue<>();
  private final ByteArrayOutputStream unread = new ByteArrayOutputStream();
  private final List<String> confirmed = new ArrayList<>();
  private final List<String> batch = new ArrayList<>();
  private boolean holding;
  private int held;
  private int refusals;
  private int batches;
  private String message = "DEFER_COMMIT";
  private boolean closed;

  FakeShim() {
    answer("OK");
  }

  ConfirmedPath path(int batchSize) {
    return new ConfirmedPath(new Input(), new Answers(), BEGIN, COMMIT, batchSize);
  }

  /** From now on no batch is answered. */
  synchronized void hold() {
    holding = true;
  }

  /** Batches are answered again, and first the one that was held. */
  synchronized void release() {
    holding = false;
    for (; held > 0; held--) {
      answer("...OK");
    }
  }

  /** The next batches are refused. */
  synchronized void refuse(int number) {
    refusals = number;
  }

  /** From now on messages are answered with this. */
  synchronized void answerMessagesWith(String text) {
    message = text;
  }

  /** It ends. */
  void end() {
    answered.add(END);
  }

  /** What it has confirmed, or will once it is released. */
  synchronized List<String> confirmed() {
    return List.copyOf(confirmed);
  }

  /** How many batches came, those that it refused too. */
  synchronized int batches() {
    return batches;
  }

  synchronized boolean isClosed() {
    return closed;
  }

  private void answer(String text) {
    answered.add((text + "\n").getBytes(StandardCharsets.US_ASCII));
  }

  private synchronized void read() {
    String[] lines = unread.toString(StandardCharsets.US_ASCII).split("\n", -1);
    unread.reset();
    for (int i = 0; i < lines.length - 1; i++) {
      line(lines[i]);
    }
  }

  private void line(String line) {
    if (line.equals(BEGIN)) {
      batch.clear();
      answer("OK");
    } else if (line.equals(COMMIT)) {
      commit();
    } else {
      batch.add(line);
      answer(message);
    }
  }

  private void commit() {
    batches++;
    if (refusals > 0) {
      refusals--;
      answer("..ERROR broker syslog-a unreachable");
      return;
    }
    confirmed.addAll(batch);
    if (holding) {
      held++;
    } else {
      answer("OK");
    }
  }

  /** Its standard input. */
  private final class Input extends OutputStream {
    @Override
    public void write(int b) {
      unread.write(b);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) {
      unread.write(bytes, offset, length);
    }

    @Override
    public void flush() {
      read();
    }

    @Override
    public void close() {
      synchronized (FakeShim.this) {
        closed = true;
      }
      end();
    }
  }

  /** Its standard output. */
  private final class Answers extends InputStream {
    private ByteArrayInputStream current = new ByteArrayInputStream(END);

    @Override
    public int read() {
      throw new UnsupportedOperationException("read by whoever has a buffer");
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
      int count = current.read(into, offset, length);
      while (count < 0) {
        byte[] next = take();
        if (next.length == 0) {
          answered.add(END);
          return -1;
        }
        current = new ByteArrayInputStream(next);
        count = current.read(into, offset, length);
      }
      return count;
    }

    private byte[] take() throws IOException {
      try {
        return answered.take();
      } catch (InterruptedException e) {
        throw new IOException(e);
      }
    }
  }
}
