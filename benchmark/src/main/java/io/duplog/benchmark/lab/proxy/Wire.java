package io.duplog.benchmark.lab.proxy;

import java.io.IOException;
import java.net.Socket;
import java.util.Arrays;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Forwards the bytes of one connection of a {@link FaultyProxy} in both directions, and breaks it
 * on request. Each direction has two threads, a reader and a writer. Thread-safe.
 */
final class Wire {
  private static final int CHUNK_BYTES = 16 * 1024;

  /** Maximum number of chunks that wait in one direction. Reading stops when it is reached. */
  private static final int MAX_WAITING_CHUNKS = 64;

  private static final byte[] END = {};

  /**
   * Bytes to be written at a time by {@link System#nanoTime}; {@link #END} if the sender has closed
   * its side.
   */
  @SuppressWarnings("ArrayRecordComponent") // Chunks are never compared.
  private record Chunk(byte[] bytes, long dueNanos) {}

  private final FaultyProxy proxy;
  private final Socket client;
  private final Socket server;
  private final Consumer<Wire> endListener;
  private volatile boolean isNextChunkCut;

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
    BlockingQueue<Chunk> chunks = new ArrayBlockingQueue<>(MAX_WAITING_CHUNKS);
    String name = "proxy-" + proxy.port() + (from == client ? "-out" : "-back");
    FaultyProxy.startDaemon(() -> read(from, chunks), name + "-read");
    FaultyProxy.startDaemon(() -> write(to, chunks), name + "-write");
  }

  void resetInMidFrame() {
    isNextChunkCut = true;
  }

  void reset() {
    reset(client, server);
    endListener.accept(this);
  }

  /**
   * Closes the sockets with RST, as after a router has lost its state. All sockets are prepared for
   * RST before the first one is closed. Otherwise the thread that reads from it would close the
   * other one in order.
   */
  static void reset(Socket... sockets) {
    for (Socket socket : sockets) {
      try {
        socket.setSoLinger(true, 0);
      } catch (IOException e) {
        // The socket is already closed.
      }
    }
    for (Socket socket : sockets) {
      try {
        socket.close();
      } catch (IOException e) {
        // The socket is no longer needed.
      }
    }
  }

  private void read(Socket from, BlockingQueue<Chunk> chunks) {
    byte[] buffer = new byte[CHUNK_BYTES];
    try {
      while (true) {
        byte[] bytes = END;
        try {
          int length = from.getInputStream().read(buffer);
          bytes = length < 0 ? END : Arrays.copyOf(buffer, length);
        } catch (IOException e) {
          // An error ends the stream like a regular end.
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
        proxy.awaitEndOfSilence();
        if (chunk.bytes().length == 0) {
          break;
        }
        if (isNextChunkCut && to == server) {
          to.getOutputStream().write(chunk.bytes(), 0, chunk.bytes().length / 2);
          break;
        }
        to.getOutputStream().write(chunk.bytes());
      }
    } catch (IOException | InterruptedException e) {
      // This end is closed already. The other end is closed below.
    }
    if (isNextChunkCut) {
      reset();
    } else {
      closeInOrder();
    }
  }

  /**
   * Closes both sockets. Half-closed connections are not kept, because both ends may close at any
   * time in the forwarded protocols.
   */
  private void closeInOrder() {
    try (client;
        server) {
      endListener.accept(this);
    } catch (IOException e) {
      // Both sockets are closed nevertheless.
    }
  }
}
