package io.duplog.benchmark.load;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A load that a {@link RedundantSender} sends by UDP to several receivers. UDP senders keep their
 * pace whatever happens to a receiver, as those of most sites do.
 */
public class UdpLoad implements Load {
  private final List<Tally> streams;
  private final UdpOutlet udp;
  private final RedundantSender sender;
  private @Nullable Future<?> sending;

  /**
   * Sends nothing yet.
   *
   * @param receivers address of each stream's receiver
   */
  public UdpLoad(LoadPlan plan, List<InetSocketAddress> receivers) throws IOException {
    this.streams = Stream.generate(Tally::new).limit(plan.streams()).toList();
    this.udp = new UdpOutlet(receivers);
    this.sender =
        new RedundantSender(
            plan,
            (stream, serial, message) -> {
              Tally tally = tallyOf(stream, serial);
              if (tally != null) {
                send(tally, stream, serial, message);
              }
            });
  }

  /**
   * Returns what counts a copy that is about to leave; null if the copy is withheld. Called by the
   * sender's thread.
   */
  protected @Nullable Tally tallyOf(int stream, long serial) {
    return streams.get(stream);
  }

  private void send(Tally tally, int stream, long serial, byte[] message) throws IOException {
    tally.add(serial);
    copyLeaves(serial);
    udp.send(stream, message);
  }

  /** Called by the sending thread just before a copy leaves; does nothing by default. */
  protected void copyLeaves(long serial) {}

  /** Sends one more message to one receiver; to be called after {@link #stop}. */
  protected final void sendLast(Tally tally, int stream) throws IOException {
    sender.sendLast(stream, (to, serial, message) -> send(tally, to, serial, message));
  }

  @Override
  public final Messages messages() {
    return sender.texts();
  }

  @Override
  public final void start() {
    sending = sender.start();
  }

  @Override
  public final long sent() {
    return sender.messages();
  }

  /** Returns the number of copies sent so far, to all receivers together. */
  public final long copies() {
    return sender.copies();
  }

  @Override
  public final boolean isOver() {
    return sending != null && sending.isDone();
  }

  @Override
  public void stop() throws IOException, InterruptedException {
    sender.stop();
    try {
      if (sending != null) {
        sending.get();
      }
    } catch (ExecutionException e) {
      throw new IOException("the sender failed: " + e.getCause(), e);
    }
  }

  @Override
  public Sent record() {
    return Sent.of(streams);
  }

  @Override
  public final long dueNanos(long serial) {
    return -1; // a repetition has the number of the message that it repeats
  }

  /** Returns the longest delay of a message behind its schedule, in nanoseconds. */
  public final long mostBehindNanos() {
    return sender.mostBehindNanos();
  }

  @Override
  public final void close() {
    sender.stop();
    udp.close();
  }
}
