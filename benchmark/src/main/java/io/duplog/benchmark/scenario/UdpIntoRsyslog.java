package io.duplog.benchmark.scenario;

import io.duplog.benchmark.load.DatagramOutput;
import io.duplog.benchmark.load.Flood;
import io.duplog.benchmark.load.NumberedLines;
import io.duplog.benchmark.load.Pace;
import io.duplog.benchmark.load.Schedule;
import io.duplog.benchmark.load.Workload;
import io.duplog.benchmark.peer.Peer;
import io.duplog.benchmark.peer.PeerLab;
import io.duplog.benchmark.peer.PeerPackages;
import io.duplog.benchmark.report.Run;
import io.duplog.rig.LabException;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What one bare rsyslog takes by UDP and writes into a file without losing a datagram. UDP loses
 * what comes too fast, and nothing of Duplog takes part: so a loss here ends a trial, not the
 * scenario, and only a run without one is a result.
 */
record UdpIntoRsyslog(Bench bench, NumberedLines lines, Duration window) {
  static final String VARIANT = "udp-rsyslog";

  /** A thread and a socket each: the kernel spreads sockets, not datagrams, over its queues. */
  private static final int SENDERS = 2;

  private static final WarmUp WARM_UP = WarmUp.of(Duration.ofSeconds(2));
  private static final double PRECISION = 0.1;

  /**
   * Searches.
   *
   * @param remarks get what else was seen
   * @return the fastest run that lost nothing; null if there is none
   */
  @Nullable Run measure(Consumer<String> remarks)
      throws LabException, IOException, InterruptedException {
    Run flood = run(new Flood(() -> 0, Long.MAX_VALUE));
    Run best = flood.counts().isExact() ? flood : null;
    RateSearch search = new RateSearch(Math.max(1, flood.rate()), PRECISION);
    while (!flood.counts().isExact() && !search.isOver()) {
      double rate = search.next();
      Run trial = run(Schedule.constant(rate, WARM_UP.atMost().plus(window)));
      bench.progress().accept("  %,.0f/s: %,d lost".formatted(rate, trial.counts().lost()));
      search.tried(trial.counts().isExact());
      best = trial.counts().isExact() ? trial : best;
    }
    remarks.accept(
        "`%s`: as fast as the senders can %,.0f/s arrived, and %,d of %,d were lost."
            .formatted(VARIANT, flood.rate(), flood.counts().lost(), flood.counts().sent()));
    if (best == null) {
      remarks.accept("`%s`: no rate was found at which nothing was lost.".formatted(VARIANT));
    }
    return best;
  }

  private Run run(Pace pace) throws LabException, IOException, InterruptedException {
    PeerPackages packages = PeerPackages.ofThisBuild(); // not needed for rsyslog, nor fetched
    return bench.measure(
        (folder, jars) -> new PeerLab(folder, Peer.RSYSLOG, packages),
        Messages.numbered(lines),
        (lab, measurement) ->
            measurement.run(
                new Workload(lines, new byte[0], pace, List.of(sockets(lab.ports().get(0)))),
                VARIANT,
                Map.of("sockets", "" + SENDERS),
                WARM_UP,
                window));
  }

  private List<OutputStream> sockets(int port) throws IOException {
    InetSocketAddress receiver = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    List<OutputStream> sockets = new ArrayList<>();
    for (int i = 0; i < SENDERS; i++) {
      sockets.add(new DatagramOutput(receiver, lines.length() + 1));
    }
    return sockets;
  }
}
