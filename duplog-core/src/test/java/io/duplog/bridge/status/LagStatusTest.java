package io.duplog.bridge.status;

import static org.assertj.core.api.Assertions.assertThat;

import io.duplog.lag.StreamLag;
import io.duplog.lag.StreamState;
import org.junit.jupiter.api.Test;

class LagStatusTest {
  @Test
  void streamWithAnothersName_isToldWithWhatItMayComeOf() {
    StreamLag misnamed =
        new StreamLag(
            "syslog-b", StreamState.MISNAMED, 1, 0, 0, new StreamLag.Heard(1, 0, 0, 0), "syslog-a");

    assertThat(LagStatus.part(misnamed).detail())
        .isEqualTo(
            "its queue brings syslog-a: that is delivered without being compared; two streams'"
                + " host is one broker, or the shim's stream is not the bridge's");
  }
}
