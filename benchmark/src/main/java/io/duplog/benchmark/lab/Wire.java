package io.duplog.benchmark.lab;

import java.io.IOException;
import java.net.Socket;
import java.util.Arrays;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** One connection through a {@link FaultyProxy}. In each direction one thread reads, one writes. */
final class Wire {
  private static final int CHUNK = 16 * 1024;

  /** What may be on its way: behind it the reader, and so the sender, waits. */
  private static final int CHUNKS = 64;

  private static final byte[] END = {};

  /** Bytes that are due at a time; {@link #END} where the sender has closed its side. */
  @SuppressWarnings("ArrayRecordComponent") // nobody compares them
  private record Chunk(byte[] bytes, long dueNanos) {}

  private final FaultyProxy proxy;
  private final Socket client;
  private final Socket server;
  private final Consumer<Wire> ended;
  private volatile boolean cutNext;

  Wire(FaultyProxy proxy, Socket client, Socket server, Consumer<Wire> ended) {
    this.proxy = proxy;
    this.client = client;
    this.server = server;
    this.ended = ended;
  }

  void start() {
    start(client, server);
    start(server, client);
  }

  private void start(Socket from, Socket to) {
    BlockingQueue<Chunk> chunks = new ArrayBlockingQueue<>(CHUNKS);
    String name = "proxy-" + proxy.port() + (from == client ? "-out" : "-back");
    FaultyProxy.daemon(() -> read(from, chunks), name + "-read");
    FaultyProxy.daemon(() -> write(to, chunks), name + "-write");
  }

  void resetInMidFrame() {
    cutNext = true;
  }

  void reset() {
    reset(client, server);
    ended.accept(this);
  }

  /**
   * Closes with RST, as a router does that lost its state. All are told to before one is closed:
   * whoever reads from that one closes the other in order, at once.
   */
  static void reset(Socket... sockets) {
    for (Socket socket : sockets) {
      try {
        socket.setSoLinger(true, 0);
      } catch (IOException e) {
        // closed already
      }
    }
    for (Socket socket : sockets) {
      try {
        socket.close();
      } catch (IOException e) {
        // it is of no use any more in any case
      }
    }
  }

  private void read(Socket from, BlockingQueue<Chunk> chunks) {
    byte[] buffer = new byte[CHUNK];
    try {
      while (true) {
        byte[] bytes = END;
        try {
          int length = from.getInputStream().read(buffer);
          bytes = length < 0 ? END : Arrays.copyOf(buffer, length);
        } catch (IOException e) {
          // the end, whatever the reason
        }
        chunks.put(new Chunk(bytes, System.nanoTime() + proxy.delayNanos()));
        if (bytes.length == 0) {
          return;
        }
      }
    } catch (InterruptedException e) {
      reset();
    }
  }

  private void write(Socket to, BlockingQueue<Chunk> chunks) {
    try {
      while (true) {
        Chunk chunk = chunks.take();
        TimeUnit.NANOSECONDS.sleep(chunk.dueNanos() - System.nanoTime());
        proxy.awaitSound();
        if (chunk.bytes().length == 0) {
          break;
        }
        if (cutNext && to == server) {
          to.getOutputStream().write(chunk.bytes(), 0, chunk.bytes().length / 2);
          break;
        }
        to.getOutputStream().write(chunk.bytes());
      }
    } catch (IOException | InterruptedException e) {
      // one end is gone: the other is told below
    }
    if (cutNext) {
      reset();
    } else {
      closeInOrder();
    }
  }

  /** Either end may close at any time in the protocols that pass here: nobody closes half. */
  private void closeInOrder() {
    try (client;
        server) {
      ended.accept(this);
    } catch (IOException e) {
      // both are closed all the same
    }
  }
}
