package io.duplog.observe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests how records become JSON, and how leniently they are read. */
class JsonTest {
  record Row(
      String fullName,
      long count,
      boolean good,
      @Nullable Double share,
      @Nullable Level level,
      @Nullable Instant at,
      List<String> words,
      Map<String, Long> counts) {}

  private static final Row EMPTY = new Row("", 0, false, null, null, null, List.of(), Map.of());

  private static Row read(String json) throws IOException {
    return Objects.requireNonNull(Json.read(json, Row.class));
  }

  @Test
  void record_isWrittenWithoutNullsAndEmptyTexts_andReadAgain() throws IOException {
    Row row =
        new Row("x", 7, true, 0.5, Level.ATTENTION, Instant.EPOCH, List.of("y"), Map.of("z", 1L));

    assertThat(Json.render(row))
        .isEqualTo(
            "{\"full_name\":\"x\",\"count\":7,\"good\":true,\"share\":0.5,\"level\":\"attention\","
                + "\"at\":\"1970-01-01T00:00:00Z\",\"words\":[\"y\"],\"counts\":{\"z\":1}}");
    assertThat(read(Json.render(row))).isEqualTo(row);
    assertThat(Json.render(EMPTY))
        .isEqualTo("{\"count\":0,\"good\":false,\"words\":[],\"counts\":{}}");
    assertThat(read(Json.render(EMPTY))).isEqualTo(EMPTY);
  }

  @Test
  void jsonObject_keepsNulls_andItsOrder() {
    assertThat(Json.render(new JsonObject().put("b", null).put("a", List.of(EMPTY.words(), "é"))))
        .isEqualTo("{\"b\":null,\"a\":[[],\"é\"]}");
    assertThat(Json.ascii(List.of("é"))).isEqualTo("[\"\\u00E9\"]");
    assertThatThrownBy(() -> Json.render(new Object())).isInstanceOf(IllegalStateException.class);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{}",
        "{'full_name':null,'count':null,'good':null,'share':null,'level':null,'words':null}",
        "{'full_name':{'x':[1]},'count':[2],'good':{},'share':[[]],'at':{'y':1},'words':7}",
        "{'count':'many','good':'perhaps','share':'all','at':'soon','counts':[{}],'new':{'z':[1]}}"
      })
  void missingMembers_andOtherTypes_areEmpty(String json) throws IOException {
    assertThat(read(json.replace('\'', '"'))).isEqualTo(EMPTY);
  }

  @Test
  void unknownLevel_isDown_andTextIsPrintable() throws IOException {
    Row row = read("{\"level\":\"splendid\",\"full_name\":\"\\u001b[2J\",\"words\":[\"\\u0007\"]}");

    assertThat(row.level()).isEqualTo(Level.DOWN);
    assertThat(row.fullName()).isEqualTo("?[2J");
    assertThat(row.words()).containsExactly("?");
  }

  @ParameterizedTest
  @ValueSource(strings = {"<html>", "{\"count\":", ""})
  void whatIsNoJson_isRefused(String text) {
    assertThatThrownBy(() -> Json.read(text, Row.class)).isInstanceOf(IOException.class);
  }
}
