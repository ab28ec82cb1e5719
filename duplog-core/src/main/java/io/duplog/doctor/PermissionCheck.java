package io.duplog.doctor;

import static java.util.Objects.requireNonNullElse;

import io.duplog.dedup.LedgerUnavailableException;
import io.duplog.dedup.redis.RedisInspection;
import io.duplog.dedup.redis.RedisSettings;

/**
 * Whether a Redis lets its user do all that a bridge does there, which a connection alone doesn't
 * show.
 */
public record PermissionCheck(RedisSettings settings) implements Check {

  @Override
  public String subject() {
    return "permissions at Redis " + settings.address();
  }

  @Override
  public void examine(Findings findings) {
    String user = requireNonNullElse(settings.login().user(), "default");
    try (RedisInspection redis = new RedisInspection(settings)) {
      String refusal = redis.refusal();
      if (refusal == null) {
        findings.ok("Redis lets user '%s' do all that a bridge does".formatted(user));
      } else {
        findings.problem(
            "Redis %s does not let user '%s' do what a bridge does (%s)"
                .formatted(settings.address(), user, refusal),
            "it fails at the first message: all that is read passes through undeduplicated",
            "the user's line in Redis's aclfile as deploy/redis/users.acl has it, then `ACL LOAD`");
      }
    } catch (LedgerUnavailableException e) {
      findings.notChecked(
          "what Redis lets user '%s' do: %s".formatted(user, e.getMessage()),
          "a Redis that answers, then again");
    }
  }
}
