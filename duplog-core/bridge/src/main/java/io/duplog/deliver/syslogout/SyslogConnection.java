package io.duplog.deliver.syslogout;

import com.google.common.net.HostAndPort;
import io.duplog.tls.Tls;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A connection to a receiver. Not thread-safe, except for {@link #abortAfter}. */
final class SyslogConnection {
  private static final Logger log = LoggerFactory.getLogger(SyslogConnection.class);

  /** Bytes of one write, so that a receiver that reads slowly shows progress. */
  private static final int PIECE_BYTES = 16 << 10;

  /**
   * Limit of the bytes in this host's kernel, which the receiver does not have yet. Linux doubles
   * it.
   */
  private static final int SEND_BUFFER_BYTES = 256 << 10;

  private final HostAndPort receiver;
  private final @Nullable Tls tls;
  private final Socket plain;

  /** The encrypted socket, or the plain one without TLS. */
  private final Socket socket;

  private final byte[] piece = new byte[PIECE_BYTES];
  private final LongSupplier nanoClock;
  private volatile long writingSinceNanos;
  private volatile boolean hasTimedOut;

  private SyslogConnection(
      HostAndPort receiver,
      @Nullable Tls tls,
      Socket plain,
      Socket socket,
      LongSupplier nanoClock) {
    this.receiver = receiver;
    this.tls = tls;
    this.nanoClock = nanoClock;
    this.plain = plain;
    this.socket = socket;
  }

  /**
   * Connects, with a TLS handshake if there is TLS.
   *
   * @throws IOException with the receiver and the reason as message
   */
  @SuppressWarnings("AddressSelection") // one of several addresses is enough
  static SyslogConnection open(
      HostAndPort receiver, @Nullable Tls tls, Duration timeout, LongSupplier nanoClock)
      throws IOException {
    Socket plain = new Socket();
    try {
      plain.setSendBufferSize(SEND_BUFFER_BYTES);
      plain.setTcpNoDelay(true);
      plain.setKeepAlive(true);
      InetSocketAddress address = new InetSocketAddress(receiver.getHost(), receiver.getPort());
      if (address.isUnresolved()) {
        throw new UnknownHostException("its name is unknown");
      }
      int millis = Math.toIntExact(timeout.toMillis());
      plain.connect(address, millis);
      plain.setSoTimeout(millis);
      Socket socket =
          tls == null
              ? plain
              : tls.sockets().createSocket(plain, receiver.getHost(), receiver.getPort(), true);
      return new SyslogConnection(receiver, tls, plain, socket, nanoClock);
    } catch (IOException e) {
      plain.close();
      throw described(receiver, tls, e);
    }
  }

  private static IOException described(HostAndPort receiver, @Nullable Tls tls, IOException e) {
    String reason = tls == null ? null : tls.reason(e);
    String hint = tls == null || reason != null ? "" : tls.hint();
    return new IOException(
        receiver + ": " + (reason == null ? String.valueOf(e.getMessage()) : reason) + hint, e);
  }

  /** Writes all bytes of the buffer. The connection must be closed after an exception. */
  void write(ByteBuffer bytes) throws IOException {
    try {
      while (bytes.hasRemaining()) {
        int length = Math.min(PIECE_BYTES, bytes.remaining());
        bytes.get(piece, 0, length);
        writingSinceNanos = Math.max(1, nanoClock.getAsLong());
        socket.getOutputStream().write(piece, 0, length);
      }
    } catch (IOException e) {
      throw described(receiver, tls, e);
    } finally {
      writingSinceNanos = 0;
    }
  }

  /** Waits, and throws if the receiver has closed the connection by the end of this time. */
  void requireOpen(Duration time) throws IOException {
    long start = nanoClock.getAsLong();
    long leftNanos = time.toNanos();
    try {
      while (leftNanos > 0) {
        socket.setSoTimeout(Math.toIntExact(Math.max(1, leftNanos / 1_000_000)));
        if (socket.getInputStream().read(piece) < 0) {
          throw new EOFException("it has closed the connection");
        }
        // Syslog has no answers, so this receiver speaks something else as well.
        leftNanos = time.toNanos() - (nanoClock.getAsLong() - start);
      }
    } catch (SocketTimeoutException e) {
      return; // it is open
    } catch (IOException e) {
      throw described(receiver, tls, e);
    }
  }

  /** Closes the connection if one write has taken longer than this. Thread-safe. */
  void abortAfter(Duration writeTimeout) {
    long since = writingSinceNanos;
    if (since != 0 && nanoClock.getAsLong() - since > writeTimeout.toNanos()) {
      hasTimedOut = true;
      close();
    }
  }

  /** Whether {@link #abortAfter} has closed the connection. */
  boolean hasTimedOut() {
    return hasTimedOut;
  }

  /**
   * Closes the connection at once. TLS is not closed first, because a receiver that reads nothing
   * would make that hang.
   */
  void close() {
    try {
      plain.close();
    } catch (IOException e) {
      log.debug("{} can't be closed: {}", receiver, e.getMessage());
    }
  }
}
