package io.duplog.dedup.redis;

import io.duplog.dedup.Ledger;
import io.duplog.dedup.SharedTexts;
import io.duplog.dedup.SharedTextsContract;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Tests that shared texts stored in a real Redis behave like those in every store. */
class RedisTextsIT extends SharedTextsContract {
  @RegisterExtension static final FlushedRedis redis = new FlushedRedis();

  private final @AutoClose Ledger ledger =
      redis.of(Duration.ofSeconds(4)).open("one", List.of("a", "b"), Duration.ofMinutes(1));

  @Override
  protected SharedTexts store() {
    return ledger.texts("senders");
  }
}
