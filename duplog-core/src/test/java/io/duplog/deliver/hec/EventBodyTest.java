package io.duplog.deliver.hec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.duplog.deliver.DeliveryRequests;
import java.util.Collections;
import org.junit.jupiter.api.Test;

class EventBodyTest {
  private static final String KEYS = "urls: [http://s]\ntoken: t\n";
  private static final String EVENT =
      "{\"time\":1773500966.535,\"host\":\"10.0.0.3\",\"sourcetype\":\"syslog\",\"event\":\"one\"}\n";

  @Test
  void fill_encodesAsTheSinkDoes_anewEachTime() {
    EventBody body = new EventBody(HecStage.config(KEYS));
    assertThat(body.fill(new DeliveryRequests().ofSenders("p", "10.0.0.3 one", "10.0.0.3 two")))
        .isEqualTo(2 * EVENT.length());
    assertThat(body.fill(new DeliveryRequests().ofSenders("p", "10.0.0.3 one")))
        .isEqualTo(EVENT.length());
  }

  @Test
  void fill_withMoreThanARequest_isRefused() {
    EventBody body = new EventBody(HecStage.config(KEYS + "max-bytes: 1KiB\n"));
    String[] messages = Collections.nCopies(20, "10.0.0.3 one").toArray(new String[0]);
    assertThatThrownBy(() -> body.fill(new DeliveryRequests().ofSenders("p", messages)))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
