package io.duplog.doctor;

import io.duplog.dedup.redis.RedisSentinelFacts;
import java.util.List;
import java.util.TreeSet;

/** Judges whether the sentinels would promote a replica if the Redis master is lost. */
final class SentinelRule {
  /**
   * Minimum number of sentinels for a safe failover. With two, the loss of one leaves no majority.
   */
  private static final int MIN_SENTINELS = 3;

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
                ? "no bridge finds Redis: all messages pass through undeduplicated"
                : "bridges learn of a failover from one sentinel less, which may also be missing in the"
                    + " vote",
            "check whether it runs, and check dedup.redis.sentinel: addresses, master, user, password, tls");
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
          "bridges believe the sentinel that knows the latest failover; a bridge that can't reach it"
              + " counts separately from the others, which causes duplicates",
          "wait until a failover has ended; otherwise check whether the sentinels reach each other");
    }
    for (RedisSentinelFacts each : answering) {
      String sentinel = "sentinel " + each.address();
      long sentinelCount = each.others() + 1;
      if (each.down()) {
        findings.problem(
            "%s can't reach the master %s".formatted(sentinel, each.master()),
            "a failover begins when enough sentinels agree; until it has ended, all messages pass"
                + " through undeduplicated",
            "check whether that Redis runs, and the sentinel's auth-user and auth-pass");
      }
      if (each.replicas() == 0) {
        findings.problem(
            sentinel + " knows no replica",
            "no server can take over if the master's host is lost",
            "add a replica on a second host: docs/scaling.md");
      }
      if (sentinelCount < MIN_SENTINELS) {
        findings.warning(
            "%s knows %d other sentinels".formatted(sentinel, each.others()),
            "a failover needs a majority of all sentinels; with two, that means both, so the loss of a"
                + " host can prevent it",
            "run three sentinels on three hosts");
      } else if (each.quorum() >= sentinelCount) {
        findings.warning(
            "%s requires %d of %d sentinels to agree (quorum)"
                .formatted(sentinel, each.quorum(), sentinelCount),
            "one lost sentinel prevents every failover",
            "sentinel set NAME quorum " + (sentinelCount / 2 + 1));
      } else if (each.quorum() < 2) {
        findings.warning(
            "%s can declare the master down alone (quorum %d)".formatted(sentinel, each.quorum()),
            "a network problem of one sentinel causes a failover, and with it duplicates",
            "sentinel set NAME quorum " + (sentinelCount / 2 + 1));
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
