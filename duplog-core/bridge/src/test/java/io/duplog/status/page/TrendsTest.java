package io.duplog.status.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.duplog.dedup.StreamSet;
import io.duplog.observe.JsonObject;
import io.duplog.observe.JsonValue;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/**
 * Tests that the page's trends of the last hour and day show the right values in bounded memory.
 */
class TrendsTest {
  /** Second of a day's point, so that points of five minutes begin here. */
  private static final long BEGIN = 1_800_000_000;

  private final Trends trends = new Trends();
  private long count;
  private double value;

  private void look(long second) {
    trends.look(Instant.ofEpochSecond(BEGIN + second));
  }

  /** Returns the known values of a series, the oldest first. */
  private List<Double> known(String range, int series) throws Exception {
    String json = JsonObject.render(trends.json(Map.of("range", range)));
    return JsonValue.parse(json).at("series").list().get(series).at("values").list().stream()
        .filter(JsonValue::exists)
        .map(JsonValue::number)
        .toList();
  }

  private int points(String range) throws Exception {
    String json = JsonObject.render(trends.json(Map.of("range", range)));
    return JsonValue.parse(json).at("series").list().get(0).at("values").list().size();
  }

  @Test
  void rate_isOfTheTimeSinceTheLookBefore() throws Exception {
    trends.addRate("received", "a", () -> count);
    look(0);
    count = 50;
    look(5); // the same step
    look(10);
    count = 150;
    look(20);

    assertThat(known("1h", 0)).containsExactly(5.0, 10.0);
    assertThat(JsonObject.render(trends.json(Map.of())))
        .contains("\"until\":\"" + Instant.ofEpochSecond(BEGIN + 20) + "\"");
  }

  @Test
  void dayPoint_isTheMeanOfARate_andTheLargestOfAValue() throws Exception {
    trends.addRate("received", "a", () -> count);
    trends.addValue("lag_seconds", "a", () -> value);
    look(0);
    for (long second = 10; second <= 300; second += 10) {
      count += second <= 150 ? 0 : 40;
      value = second == 100 ? 7 : 1;
      look(second);
    }

    assertThat(known("1d", 0)).containsExactly(2.0);
    assertThat(known("1d", 1)).as("the first look ends a point").containsExactly(0.0, 7.0);
  }

  @Test
  void unknownValue_pause_andClockThatWasSet_leaveGaps() throws Exception {
    trends.addRate("received", "a", () -> count);
    trends.addValue("lag_seconds", "a", () -> value);
    look(0);
    value = Double.NaN;
    look(10);
    count = 1_000_000;
    value = 3;
    look(50); // a machine that slept
    count += 20;
    look(60);

    assertThat(known("1h", 0)).as("no peak after the pause").containsExactly(0.0, 2.0);
    assertThat(known("1h", 1)).containsExactly(0.0, 3.0, 3.0);

    look(-100_000);
    look(-99_990);
    assertThat(known("1h", 0)).containsExactly(0.0);
  }

  @Test
  void memory_isBounded_howeverLongTheBridgeRuns() throws Exception {
    trends.addRate("received", "a", () -> count);
    LongStream.rangeClosed(0, 2 * 8640).forEach(step -> look(10 * step));

    assertThat(points("1h")).isEqualTo(360);
    assertThat(points("1d")).isEqualTo(288);
    assertThat(known("1h", 0)).hasSize(360);
    assertThat(known("1d", 0)).hasSizeBetween(287, 288);
  }

  @Test
  void series_areBounded_byTheGreatestNumberOfStreams() {
    assertThat(Trends.MOST_SERIES).isEqualTo(3 * StreamSet.MAX_STREAMS + 2);
    for (int i = 0; i < Trends.MOST_SERIES; i++) {
      trends.addRate("received", "stream " + i, () -> count);
    }
    assertThatThrownBy(() -> trends.addRate("one more", null, () -> count))
        .isInstanceOf(IllegalStateException.class);
  }
}
