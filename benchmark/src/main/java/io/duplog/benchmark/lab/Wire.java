package io.duplog.benchmark.lab;

import java.io.IOException;
import java.net.Socket;
import java.util.Arrays;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * One connection through a {@link FaultyProxy}, with two threads for each direction, a reader and a
 * writer.
 */
final class Wire {
  private static final int CHUNK = 16 * 1024;

  /** Largest number of chunks that wait in one direction; when it is reached, reading stops. */
  private static final int CHUNKS = 64;

  private static final byte[] END = {};

  /**
   * Bytes to be written at a time by {@link System#nanoTime}; {@link #END} if the sender has closed
   * its side.
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Chunk(byte[] bytes, long dueNanos) {}

  private final FaultyProxy proxy;
  private final Socket client;
  private final Socket server;
  private final Consumer<Wire> endListener;
  private volatile boolean cutNext;

  Wire(FaultyProxy proxy, Socket client, Socket server, Consumer<Wire> endListener) {
    this.proxy = proxy;
    this.client = client;
    this.server = server;
    this.endListener = endListener;
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
    endListener.accept(this);
  }

  /**
   * Closes the sockets with RST, as after a router has lost its state. All sockets are set to that
   * before the first one is closed, because the thread that reads from it then closes the other one
   * in order.
   */
  static void reset(Socket... sockets) {
    for (Socket socket : sockets) {
      try {
        socket.setSoLinger(true, 0);
      } catch (IOException e) {
        // it is closed already
      }
    }
    for (Socket socket : sockets) {
      try {
        socket.close();
      } catch (IOException e) {
        // it is useless in any case
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
          // an error ends the stream, too
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
      // one end is gone, and the other one is closed below
    }
    if (cutNext) {
      reset();
    } else {
      closeInOrder();
    }
  }

  /**
   * Closes both sockets. Half-closed connections are not kept, because in the protocols that pass
   * here either end may close at any time.
   */
  private void closeInOrder() {
    try (client;
        server) {
      endListener.accept(this);
    } catch (IOException e) {
      // both are closed all the same
    }
  }
}
