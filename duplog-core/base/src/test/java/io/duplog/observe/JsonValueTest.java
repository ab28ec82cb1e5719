package io.duplog.observe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Tests that a long list in a JSON document can be read element by element, without holding the
 * whole list.
 */
class JsonValueTest {
  private final List<JsonValue> elements = new ArrayList<>();

  @Test
  void parse_listInTheMiddle_isPassedElementByElement() throws IOException {
    JsonValue rest =
        JsonValue.parse("{\"a\":1,\"rows\":[{\"b\":2},3],\"c\":[4]}", "rows", elements::add);

    assertThat(rest.at("a").number()).isEqualTo(1);
    assertThat(rest.at("c").list()).hasSize(1);
    assertThat(rest.at("rows").exists()).isFalse();
    assertThat(elements.get(0).at("b").number()).isEqualTo(2);
    assertThat(elements.get(1).number()).isEqualTo(3);
  }

  @Test
  void parse_memberOrDocumentOfAnotherType_isReadAsUsual() throws IOException {
    assertThat(JsonValue.parse("{\"rows\":7}", "rows", elements::add).at("rows").number())
        .isEqualTo(7);
    assertThat(JsonValue.parse("[7]", "rows", elements::add).list()).hasSize(1);
    assertThat(elements).isEmpty();
    assertThatThrownBy(() -> JsonValue.parse("{\"rows\":[7", "rows", elements::add))
        .isInstanceOf(IOException.class);
  }
}
