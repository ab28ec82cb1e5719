package io.duplog.benchmark.load;

import com.google.common.io.Closer;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/**
 * Sends a load's messages by HTTP Event Collector. Each stream has a client that keeps its messages
 * until they are accepted, like a client with a buffer on disk, so the load never waits.
 */
public final class HecOutlet implements RedundantSender.Outlet {
  /** Maximum number of events in a request. */
  public static final int MAX_EVENTS = 100;

  private final List<Client> clients = new ArrayList<>();

  /** Starts a client for each path. */
  public HecOutlet(List<HecPath> paths) {
    for (HecPath path : paths) {
      Client client = new Client(path);
      clients.add(client);
      client.thread.setDaemon(true);
      client.thread.start();
    }
  }

  @Override
  public void send(int stream, byte[] message) {
    clients.get(stream).waiting.add(message);
  }

  @Override
  public void reset(int stream) throws IOException {
    clients.get(stream).path.reset();
  }

  @Override
  public void close() throws IOException {
    try (Closer closer = Closer.create()) {
      clients.forEach(closer::register);
    }
  }

  /** A client with its thread. */
  private static final class Client implements Closeable {
    private final HecPath path;
    private final BlockingQueue<byte[]> waiting = new LinkedBlockingQueue<>();
    private final Thread thread = new Thread(this::run, "hec-client");

    Client(HecPath path) {
      this.path = path;
    }

    private void run() {
      try (HecOutput output = new HecOutput(path, MAX_EVENTS)) {
        List<byte[]> messages = new ArrayList<>();
        while (true) {
          messages.add(waiting.take());
          waiting.drainTo(messages, MAX_EVENTS - 1);
          ByteArrayOutputStream lines = new ByteArrayOutputStream();
          for (byte[] message : messages) {
            lines.writeBytes(message);
            lines.write('\n');
          }
          output.write(lines.toByteArray());
          output.flush();
          messages.clear();
        }
      } catch (InterruptedException | IOException e) {
        Thread.currentThread().interrupt(); // The load has ended.
      }
    }

    @Override
    public void close() throws IOException {
      thread.interrupt();
      path.reset();
    }
  }
}
