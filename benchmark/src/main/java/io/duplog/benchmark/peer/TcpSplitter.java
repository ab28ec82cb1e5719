package io.duplog.benchmark.peer;

import com.google.common.collect.Iterables;
import com.google.common.io.Closer;
import io.duplog.rig.LabException;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Makes a sender that has one target send to several: whatever comes on a connection goes to all of
 * them, each over a connection of its own, at the pace of the slowest. When one of them breaks, the
 * sender's connection is closed.
 */
public final class TcpSplitter implements AutoCloseable {
  private static final int CHUNK_BYTES = 1 << 16;

  private final List<Integer> targets;
  private final ServerSocket listener;
  private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
  private final Set<Thread> splitting = ConcurrentHashMap.newKeySet();

  /**
   * Listens at once.
   *
   * @param targets ports of the loopback interface
   */
  public TcpSplitter(List<Integer> targets) throws LabException {
    this.targets = List.copyOf(targets);
    try {
      listener = new ServerSocket(0, 0, InetAddress.getLoopbackAddress());
    } catch (IOException e) {
      throw new LabException("nothing can listen before " + targets + ": " + e.getMessage(), e);
    }
    daemon("accept", this::accept);
  }

  /** Where the sender has to connect, on the loopback interface. */
  public int port() {
    return listener.getLocalPort();
  }

  private void accept() {
    while (!listener.isClosed()) {
      try {
        Socket sender = listener.accept();
        sockets.add(sender);
        splitting.add(daemon(Integer.toString(sender.getPort()), () -> split(sender)));
      } catch (IOException e) {
        return; // closed
      }
    }
  }

  private void split(Socket sender) {
    byte[] chunk = new byte[CHUNK_BYTES];
    try (sender;
        Closer receivers = Closer.create()) {
      List<OutputStream> outputs = new ArrayList<>();
      for (int target : targets) {
        Socket receiver = receivers.register(new Socket(InetAddress.getLoopbackAddress(), target));
        sockets.add(receiver);
        outputs.add(receiver.getOutputStream());
      }
      InputStream input = sender.getInputStream();
      for (int count = input.read(chunk); count >= 0; count = input.read(chunk)) {
        for (OutputStream output : outputs) {
          output.write(chunk, 0, count);
        }
      }
    } catch (IOException e) {
      // the sender learns it from the end of its connection
    }
  }

  private static Thread daemon(String name, Runnable task) {
    Thread thread = new Thread(task, "split-" + name);
    thread.setDaemon(true);
    thread.start();
    return thread;
  }

  /** Whether a sender has connected so far. */
  boolean hasConnections() {
    return !splitting.isEmpty();
  }

  /**
   * Waits until all that was sent has been passed on, once the sender has ended its connections: a
   * sender that has is not heard of again.
   */
  public void awaitEnd() throws InterruptedException {
    for (Thread thread : splitting) {
      thread.join();
    }
  }

  /** Ends all connections; what was not yet passed on is gone. */
  @Override
  public void close() {
    for (Closeable each : Iterables.concat(List.of(listener), sockets)) {
      try {
        each.close();
      } catch (IOException e) {
        // it was closed, then, or nobody can connect, which is what was wanted
      }
    }
  }
}
