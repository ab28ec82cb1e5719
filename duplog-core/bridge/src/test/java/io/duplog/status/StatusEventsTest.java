package io.duplog.status;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.duplog.bridge.ReportedState;
import io.duplog.observe.Json;
import io.duplog.observe.JsonValue;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests that a bridge's state becomes flat events with the fields that Splunk searches need. */
class StatusEventsTest {
  private static final Instant SINCE = Instant.parse("2026-11-21T08:00:00Z");

  private static List<JsonValue> events() throws Exception {
    String events = Json.render(StatusEvents.of(ReportedState.document(), SINCE));
    return JsonValue.parse(events).list();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          0 | bridge | version started uptime_seconds state level summary unwell detail received delivered bypassed dropped repeated refused dead_lettered filtered given_back in_flight not_compared | state=not-ready
          1 | stream | stream_name state detail received delivered bypassed dropped repeated refused dead_lettered filtered given_back in_flight lag_state age_seconds lag_seconds depth messages missed missed_at_least missed_percent coverage_level coverage_sentence | stream_name=syslog-a missed=0 lag_state=unknown
          2 | stream | stream_name state detail received delivered bypassed dropped repeated refused dead_lettered filtered given_back in_flight lag_state age_seconds lag_seconds depth messages missed missed_at_least missed_percent coverage_level coverage_sentence | stream_name=syslog-b missed=31 missed_at_least=19
          3 | sender | stream_name sender messages missed missed_percent | stream_name=syslog-b sender=10.1.2.7 missed=30
          4 | sender | stream_name sender messages missed missed_percent | stream_name=syslog-b sender=10.1.2.6 missed=1
          5 | period | part began over seconds cause                     | part=sink over=false
          6 | period | part began over seconds cause                     | part=redis over=true seconds=29.75
          """)
  void event_isFlat_andHasTheseFields(int number, String kind, String fields, String values)
      throws Exception {
    List<JsonValue> events = events();
    assertThat(events).as("the period that ended before is left out").hasSize(7);
    JsonValue event = events.get(number);
    assertThat(event.at("bridge").text()).isEqualTo("bridge-1");
    assertThat(event.at("kind").text()).isEqualTo(kind);
    assertThat(event.value())
        .asInstanceOf(InstanceOfAssertFactories.MAP)
        .containsOnlyKeys((Object[]) ("time kind bridge " + fields).split(" +", -1))
        .doesNotContainValue(null)
        .allSatisfy((name, value) -> assertThat(value).isNotInstanceOf(Map.class));
    for (String value : values.split(" ", -1)) {
      String[] pair = value.split("=", 2);
      assertThat(event.at(pair[0]).value()).as(pair[0]).hasToString(pair[1]);
    }
  }

  @Test
  void whatIsNoJson_isRefused() {
    assertThatThrownBy(() -> StatusEvents.of("<html>", SINCE))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("not come from a bridge");
  }
}
