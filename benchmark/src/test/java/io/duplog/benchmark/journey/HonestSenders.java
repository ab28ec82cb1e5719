package io.duplog.benchmark.journey;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import com.google.common.primitives.Bytes;
import io.duplog.benchmark.lab.Lab;
import io.duplog.benchmark.lab.Syslog;
import io.duplog.benchmark.load.LoadPlan;
import io.duplog.benchmark.load.RedundantSender;
import io.duplog.benchmark.load.Tally;
import io.duplog.benchmark.measure.MergedStream;
import io.duplog.benchmark.measure.Reconciliation;
import java.io.IOException;
import java.net.Socket;
import java.time.Duration;
import java.util.List;

/**
 * Sends messages from many senders to both nodes of a lab during an attack, and counts those that
 * were lost or altered.
 */
final class HonestSenders implements AutoCloseable {
  private static final LoadPlan PLAN = new LoadPlan(2_000, Duration.ofMinutes(10), 2, 5, 5, 1);

  private final List<Socket> nodeSockets;
  private final MergedStream merged;
  private final RedundantSender sender = new RedundantSender(PLAN, this::send);

  HonestSenders(Lab lab) throws IOException {
    nodeSockets =
        List.of(
            Syslog.connect(lab.nodes().get(0).rsyslog()),
            Syslog.connect(lab.nodes().get(1).rsyslog()));
    merged = new MergedStream(lab.outputs(), sender.messages());
    sender.start();
  }

  private void send(int stream, byte[] message) throws IOException {
    nodeSockets.get(stream).getOutputStream().write(Bytes.concat(message, new byte[] {'\n'}));
  }

  /** Returns how many lines were delivered since the start, including those of other senders. */
  long delivered() throws IOException {
    return merged.read();
  }

  void end() throws Exception {
    sender.stop();
  }

  /** Returns how many messages that were sent until {@link #end} are not delivered yet. */
  long lost() throws IOException {
    merged.read();
    return Reconciliation.of(sender.record(), merged.tally()).lost();
  }

  /**
   * Returns how many of these lines have a host of these senders, but were never sent: truncated or
   * mixed lines.
   */
  long altered(List<String> lines) {
    Tally linesOfTheseSenders = new Tally();
    lines.stream()
        .filter(line -> line.contains(".fra1 "))
        .map(line -> line.getBytes(ISO_8859_1))
        .forEach(
            bytes -> linesOfTheseSenders.add(sender.messages().serialOf(bytes, 0, bytes.length)));
    return Reconciliation.of(sender.record(), linesOfTheseSenders).corrupted();
  }

  @Override
  public void close() throws IOException {
    sender.close();
    merged.close();
    for (Socket node : nodeSockets) {
      node.close();
    }
  }
}
