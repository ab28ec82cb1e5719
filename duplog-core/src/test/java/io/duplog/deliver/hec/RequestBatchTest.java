package io.duplog.deliver.hec;

import static org.assertj.core.api.Assertions.assertThat;

import io.duplog.deliver.DeliveryRequest;
import io.duplog.deliver.DeliveryRequests;
import java.util.BitSet;
import org.junit.jupiter.api.Test;

class RequestBatchTest {
  @Test
  void load_partsKeepTheOrder_overUnchosenMessages() {
    BitSet chosen = new BitSet();
    chosen.set(0);
    chosen.set(2, 6);
    DeliveryRequest delivery =
        new DeliveryRequests()
            .of("p", DeliveryRequests.batch(false, "a", "b", "c", "d", "e", "f"), chosen);
    Completion completion = new Completion(delivery, 0, over -> {});
    RequestBatch batch = new RequestBatch();
    for (int i = completion.next(0); i >= 0; i = completion.next(i + 1)) {
      batch.add(completion, i);
    }
    assertThat(batch.runs()).hasSize(1);
    for (int from = 0; from <= 5; from++) {
      for (int to = from; to <= 5; to++) {
        StringBuilder seen = new StringBuilder();
        batch.part(from, to).forEach((of, message) -> seen.append((char) ('a' + message)));
        assertThat(seen.toString()).isEqualTo("acdef".substring(from, to));
      }
    }
  }
}
