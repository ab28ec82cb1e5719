package io.duplog.doctor;

import io.duplog.dedup.redis.RedisSentinelFacts;
import java.util.List;
import java.util.TreeSet;

/** Checks whether the sentinels would have a replica take over if the master is lost. */
final class SentinelRule {
  /** Fewest sentinels for a safe failover; with two, the loss of one leaves no majority. */
  private static final int FEWEST = 3;

  private SentinelRule() {}

  static void judge(List<RedisSentinelFacts> sentinels, Findings findings) {
    List<RedisSentinelFacts> answering =
        sentinels.stream().filter(each -> each.silence() == null).toList();
    for (RedisSentinelFacts each : sentinels) {
      if (each.silence() != null) {
        findings.problem(
            "sentinel %s does not say where the master is (%s)"
                .formatted(each.address(), each.silence()),
            answering.isEmpty()
                ? "no bridge finds Redis: everything passes through undeduplicated"
                : "one sentinel less that bridges learn of a failover from, and perhaps one less"
                    + " that has a voice in it",
            "see whether it runs, and dedup.redis.sentinel: addresses, master, user, password, tls");
      }
    }
    if (!answering.isEmpty()) {
      judgeAnswers(answering, findings);
    }
  }

  private static void judgeAnswers(List<RedisSentinelFacts> answering, Findings findings) {
    int before = findings.list().size();
    TreeSet<String> masters = new TreeSet<>();
    answering.forEach(each -> masters.add(each.master()));
    if (masters.size() > 1) {
      findings.problem(
          "the sentinels name different masters: " + String.join(", ", masters),
          "the one that knows of the latest failover is believed; a bridge that can't reach that"
              + " one counts apart from the others, which duplicates",
          "wait for a failover to end; else see whether the sentinels reach each other");
    }
    for (RedisSentinelFacts each : answering) {
      String sentinel = "sentinel " + each.address();
      long voices = each.others() + 1;
      if (each.down()) {
        findings.problem(
            "%s can't reach the master %s".formatted(sentinel, each.master()),
            "a failover begins when enough sentinels say so; until it has ended everything passes"
                + " through undeduplicated",
            "see whether that Redis runs, and the sentinel's auth-user and auth-pass");
      }
      if (each.replicas() == 0) {
        findings.problem(
            sentinel + " knows of no replica",
            "nothing can take over where the master's host is lost",
            "replicaof on a second host: docs/scaling.md");
      }
      if (voices < FEWEST) {
        findings.warning(
            "%s knows of %d other sentinels".formatted(sentinel, each.others()),
            "a failover needs a majority of all sentinels: of two, both; so the loss of a host"
                + " can prevent it",
            "three sentinels on three hosts");
      } else if (each.quorum() >= voices) {
        findings.warning(
            "%s wants %d of %d sentinels to agree (quorum)"
                .formatted(sentinel, each.quorum(), voices),
            "one lost sentinel prevents every failover",
            "sentinel set NAME quorum " + (voices / 2 + 1));
      } else if (each.quorum() < 2) {
        findings.warning(
            "%s takes the master for down all alone (quorum %d)".formatted(sentinel, each.quorum()),
            "a bad network at one sentinel causes a failover, which costs duplicates",
            "sentinel set NAME quorum " + (voices / 2 + 1));
      }
    }
    if (findings.list().size() == before) {
      RedisSentinelFacts first = answering.get(0);
      findings.ok(
          "%d sentinels (quorum %d) watch the master %s and %d replica%s"
              .formatted(
                  first.others() + 1,
                  first.quorum(),
                  first.master(),
                  first.replicas(),
                  first.replicas() == 1 ? "" : "s"));
    }
  }
}
