package io.duplog.doctor;

import static java.util.Objects.requireNonNullElse;

import io.duplog.dedup.Identity;
import io.duplog.dedup.LedgerUnavailableException;
import io.duplog.dedup.redis.RedisAgreement;
import io.duplog.dedup.redis.RedisFacts;
import io.duplog.dedup.redis.RedisInspection;
import io.duplog.dedup.redis.RedisStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Checks whether Redis permits its user all that a bridge does there, which a connection alone
 * doesn't show, whether it remembers all that it should, and whether the bridges that already use
 * it would accept this one.
 *
 * @param mainRedis the Redis that this one is a spare for; null if this is none
 * @param bridge configured name of the bridge
 * @param streams that the bridge merges
 */
public record AgreementCheck(
    RedisStore redis,
    @Nullable RedisStore mainRedis,
    String bridge,
    List<String> streams,
    Duration window,
    Identity identity)
    implements Check {

  @Override
  public String subject() {
    return "bridges at Redis " + redis.address();
  }

  @Override
  public void examine(Findings findings) {
    String user = requireNonNullElse(redis.config().user(), "default");
    String sought = "what Redis lets user '%s' do".formatted(user);
    try (RedisInspection inspection = new RedisInspection(redis)) {
      if (mainRedis != null && isServerOf(mainRedis, inspection)) {
        findings.problem(
            "dedup.spare (%s) is the server of dedup.redis (%s) under another name"
                .formatted(redis.address(), mainRedis.address()),
            "the spare is lost together with dedup.redis, so that no bridge uses it",
            "dedup.spare on another host, or none");
        return;
      }
      String refusal = inspection.refusal();
      if (refusal == null) {
        findings.ok("Redis lets user '%s' do all that a bridge does".formatted(user));
      } else {
        findings.problem(
            "Redis %s does not let user '%s' do what a bridge does (%s)"
                .formatted(redis.address(), user, refusal),
            "it fails at the first message: all that is read passes through undeduplicated",
            "the user's line in Redis's aclfile as deploy/redis/users.acl has it, then `ACL LOAD`");
      }
      sought = "whether it forgets digests too soon";
      RedisFacts.@Nullable Memory forgetting = inspection.forgetting();
      if (forgetting != null) {
        findings.warning(
            forgetting.causeOfForgetting(), RedisFacts.FORGOTTEN, forgetting.remedyOfForgetting());
      }
      sought = "what the bridges agree on";
      judge(inspection.agreement(), findings);
    } catch (LedgerUnavailableException e) {
      findings.notChecked(sought + ": " + e.getMessage(), "a Redis that answers, then again");
    }
  }

  private static boolean isServerOf(RedisStore first, RedisInspection spare)
      throws LedgerUnavailableException {
    try (RedisInspection redis = new RedisInspection(first)) {
      return spare.sharesServer(redis);
    }
  }

  void judge(RedisAgreement agreement, Findings findings) {
    if (agreement.living(bridge) > 1) {
      findings.warning(
          "%d bridges of the name %s live".formatted(agreement.living(bridge), bridge),
          "logs and metrics of two bridges are taken for one's",
          "a name of its own for each bridge; after a kill, wait for dedup.lease and look again");
    }
    if (agreement.living(bridge) == 1) {
      findings.ok(
          "a bridge of the name %s lives: if that is not the one of this host, give one of them another"
                  .formatted(bridge)
              + " name");
    }
    if (agreement.agreed() == null) {
      findings.ok("no bridge has agreed on anything yet: this configuration will be the first");
      return;
    }
    String agreed = inWords(agreement.streams(), agreement.agreement());
    String refusal = agreement.refusal(streams, window, identity);
    if (refusal == null) {
      taken(agreement, agreed, findings);
    } else if (agreement.bridges().size() > agreement.living(bridge)) {
      findings.problem(
          "the bridges that live (%s) agree on %s; this file says %s"
              .formatted(
                  String.join(", ", new TreeSet<>(agreement.bridges())),
                  agreed,
                  inWords(streams, RedisAgreement.agreement(window, identity))),
          "Redis refuses a bridge with this file: all that it reads passes through undeduplicated",
          refusal);
    } else {
      findings.warning(
          "no other bridge lives, and the last ones agreed on %s; this file says %s"
              .formatted(agreed, inWords(streams, RedisAgreement.agreement(window, identity))),
          "a bridge that starts with this file begins anew: what is remembered now is forgotten,"
              + " and its copies come twice",
          "nothing if that is meant, and every other bridge gets the same");
    }
  }

  private void taken(RedisAgreement agreement, String agreed, Findings findings) {
    List<String> others = new ArrayList<>(agreement.streams());
    others.removeAll(streams);
    List<String> more = new ArrayList<>(streams);
    more.removeAll(agreement.streams());
    if (!others.isEmpty()) {
      findings.warning(
          "the bridges agree on %s; this file does not read %s"
              .formatted(agreed, String.join(", ", others)),
          "every message that it does not bring is remembered for a window",
          "add it to this file, or end it with `duplog streams remove`");
    } else if (!more.isEmpty()) {
      findings.warning(
          "the bridges agree on %s; this file adds %s".formatted(agreed, String.join(", ", more)),
          "all bridges merge it as soon as one begins with this file",
          "nothing if that is meant; a name must be that of its node's shim");
    } else {
      findings.ok("the bridges agree on %s, as this file says".formatted(agreed));
    }
  }

  private static String inWords(List<String> streams, String agreement) {
    return "the streams " + String.join(", ", streams) + " " + agreement;
  }
}
