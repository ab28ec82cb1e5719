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
 * Checks whether Redis would accept this bridge: whether its user has all rights, and the other
 * bridges' settings are the same. It also checks whether Redis forgets digests too soon.
 *
 * @param mainRedis the main Redis if this one is its spare, or null otherwise
 * @param bridge configured name of the bridge
 * @param streams the streams that the bridge merges
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
    String checkedTopic = "the permissions of Redis user '%s'".formatted(user);
    try (RedisInspection inspection = new RedisInspection(redis)) {
      if (mainRedis != null && isServerOf(mainRedis, inspection)) {
        findings.problem(
            "dedup.spare (%s) is the server of dedup.redis (%s) under another name"
                .formatted(redis.address(), mainRedis.address()),
            "the spare fails together with dedup.redis, so no bridge uses it",
            "set dedup.spare to a Redis on another host, or remove it");
        return;
      }
      String refusal = inspection.refusal();
      if (refusal == null) {
        findings.ok("Redis lets user '%s' do all that a bridge does".formatted(user));
      } else {
        findings.problem(
            "Redis %s does not let user '%s' do what a bridge does (%s)"
                .formatted(redis.address(), user, refusal),
            "bridges can't deduplicate: all messages pass through undeduplicated",
            "copy the user's line from deploy/redis/users.acl to Redis's aclfile, then run `ACL LOAD`");
      }
      checkedTopic = "whether it forgets digests too soon";
      RedisFacts.@Nullable Memory forgetting = inspection.forgetting();
      if (forgetting != null) {
        findings.warning(
            forgetting.causeOfForgetting(), RedisFacts.FORGOTTEN, forgetting.remedyOfForgetting());
      }
      checkedTopic = "what the bridges agree on";
      judge(inspection.agreement(), findings);
    } catch (LedgerUnavailableException e) {
      findings.notChecked(
          checkedTopic + ": " + e.getMessage(), "run this again when Redis answers");
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
          "%d running bridges have the name %s".formatted(agreement.living(bridge), bridge),
          "logs and metrics of two bridges are mixed up",
          "give each bridge its own name; after a kill, wait for dedup.lease and run this again");
    }
    if (agreement.living(bridge) == 1) {
      findings.ok(
          "a running bridge has the name %s: if it is not the one on this host, give one of them another"
                  .formatted(bridge)
              + " name");
    }
    if (agreement.agreed() == null) {
      findings.ok("no bridge has used this Redis yet: this configuration will be the first");
      return;
    }
    String agreed = inWords(agreement.streams(), agreement.agreement());
    String refusal = agreement.refusal(streams, window, identity);
    if (refusal == null) {
      reportAccepted(agreement, agreed, findings);
    } else if (agreement.bridges().size() > agreement.living(bridge)) {
      findings.problem(
          "the running bridges (%s) agree on %s; this file says %s"
              .formatted(
                  String.join(", ", new TreeSet<>(agreement.bridges())),
                  agreed,
                  inWords(streams, RedisAgreement.agreement(window, identity))),
          "Redis rejects a bridge with this file: all its messages pass through undeduplicated",
          refusal);
    } else {
      findings.warning(
          "no other bridge is running, and the last ones agreed on %s; this file says %s"
              .formatted(agreed, inWords(streams, RedisAgreement.agreement(window, identity))),
          "a bridge that starts with this file discards the stored digests,"
              + " so copies of recent messages are delivered twice",
          "nothing if that is intended and all other bridges get the same");
    }
  }

  private void reportAccepted(RedisAgreement agreement, String agreed, Findings findings) {
    List<String> unreadStreams = new ArrayList<>(agreement.streams());
    unreadStreams.removeAll(streams);
    List<String> addedStreams = new ArrayList<>(streams);
    addedStreams.removeAll(agreement.streams());
    if (!unreadStreams.isEmpty()) {
      findings.warning(
          "the bridges agree on %s; this file does not read %s"
              .formatted(agreed, String.join(", ", unreadStreams)),
          "Redis remembers every message that it does not bring for a window",
          "add it to this file, or end it with `duplog streams remove`");
    } else if (!addedStreams.isEmpty()) {
      findings.warning(
          "the bridges agree on %s; this file adds %s"
              .formatted(agreed, String.join(", ", addedStreams)),
          "all bridges merge it as soon as one starts with this file",
          "nothing if that is intended; the name must equal the node's shim's stream");
    } else {
      findings.ok("the bridges agree on %s, as this file says".formatted(agreed));
    }
  }

  private static String inWords(List<String> streams, String agreement) {
    return "the streams " + String.join(", ", streams) + " " + agreement;
  }
}
