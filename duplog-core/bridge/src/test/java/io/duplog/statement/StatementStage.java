package io.duplog.statement;

import io.duplog.config.ConfigException;
import io.duplog.coverage.CoverageReport;
import io.duplog.coverage.StatementConfig;
import io.duplog.dedup.FailingTexts;
import io.duplog.observe.Counters;
import io.duplog.observe.End;
import io.duplog.observe.EventCounts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.Key;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;

/**
 * Simulates bridges that write statements, with a clock, a store and keys that the test controls.
 */
final class StatementStage {
  static final Instant BEGIN = Instant.parse("2026-11-26T10:20:00Z");
  private static final Duration WINDOW = Duration.ofMinutes(10);
  private static final List<String> STREAMS = List.of("a", "b");

  /** A bridge with its counters and its folder. */
  final class Bridge {
    final Counters counters = new Counters(STREAMS);
    final EventCounts accepted = new EventCounts();
    final Path folder;
    final StatementKeeper keeper;

    Bridge(String name) throws ConfigException {
      folder = root.resolve(name);
      keeper =
          new StatementKeeper(
              new StatementConfig(folder.toString(), privateKey.toString()),
              name,
              counters,
              accepted::sums,
              texts,
              hour -> settled ? report(hour) : null,
              WINDOW,
              () -> now,
              () -> nanos);
    }

    /** Brings copies by a stream. This many of them are delivered, and the others are dropped. */
    void brings(String stream, long copies, long delivered) {
      counters.of(stream).received.add(copies);
      counters.of(stream).add(End.KEPT, delivered);
      counters.of(stream).add(End.DROPPED, copies - delivered);
    }

    /** Has the sink accept events of a sourcetype and a host. */
    void accepts(String sourcetype, String host, long events) {
      accepted.of(EventCounts.Source.of(sourcetype, host)).add(events);
    }

    StatementCheck check() throws ConfigException {
      return StatementCheck.of(folder, List.of(publicKey), null, null);
    }
  }

  final Path root;
  final Path privateKey;
  final Path publicKey;
  Instant now = BEGIN;

  /** Goes on evenly, whatever the clock is set to. */
  private long nanos;

  boolean settled = true;
  long notComparedPerHour = 1;
  final FailingTexts texts = new FailingTexts();

  StatementStage(Path root) throws IOException, GeneralSecurityException {
    this.root = root;
    KeyPair pair = KeyPairGenerator.getInstance("Ed25519").generateKeyPair();
    this.privateKey = pem(root.resolve("statements.key"), "PRIVATE KEY", pair.getPrivate());
    this.publicKey = pem(root.resolve("statements.pub"), "PUBLIC KEY", pair.getPublic());
  }

  static Path pem(Path file, String kind, Key key) throws IOException {
    String text = Base64.getMimeEncoder().encodeToString(key.getEncoded());
    return Files.writeString(
        file, "-----BEGIN " + kind + "-----\n" + text + "\n-----END " + kind + "-----\n");
  }

  private CoverageReport report(Instant hour) {
    CoverageReport.Sender sender = new CoverageReport.Sender("10.0.0.1", 8, 2);
    CoverageReport.Sender others = new CoverageReport.Sender("others", 2, 0);
    return new CoverageReport(
        WINDOW,
        hour,
        hour.plusSeconds(3600),
        notComparedPerHour,
        1,
        List.of(),
        null,
        List.of(
            new CoverageReport.Stream("a", 10, 2, 1, List.of(sender), others),
            new CoverageReport.Stream("b", 10, 0, 0, List.of(), others)));
  }

  /** Lets time pass, in which the bridges take a turn every ten seconds. */
  void pass(Duration time, Bridge... bridges) {
    for (Instant end = now.plus(time); now.isBefore(end); ) {
      now = now.plusSeconds(10);
      nanos += 10_000_000_000L;
      for (Bridge bridge : bridges) {
        bridge.keeper.runOnce();
      }
    }
  }
}
