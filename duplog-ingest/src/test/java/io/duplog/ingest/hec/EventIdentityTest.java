package io.duplog.ingest.hec;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.duplog.wire.EventHead;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests which events of two nodes count as the same. */
class EventIdentityTest {
  private static IdentitySettings settings(Product product, String addressField) {
    return new IdentitySettings(
        product, addressField.isEmpty() ? null : addressField, false, List.of());
  }

  private static HecEvent event(String json) throws UnusableEventException {
    byte[] bytes = json.getBytes(UTF_8);
    EventHead none = new EventHead(null, null, null, null, null, null, EventHead.Content.TEXT);
    return Objects.requireNonNull(new EventReader(none).event(bytes, 0, bytes.length));
  }

  private static boolean isSame(Product product, String addressField, String one, String other)
      throws UnusableEventException {
    return isSame(settings(product, addressField), one, other);
  }

  private static boolean isSame(IdentitySettings settings, String one, String other)
      throws UnusableEventException {
    byte[] here = new EventIdentity(settings, "syslog-a").of(event(one));
    byte[] there = new EventIdentity(settings, "syslog-b").of(event(other));
    return HexFormat.of().formatHex(here).equals(HexFormat.of().formatHex(there));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          # escapes and white space within the JSON, and the order of its members
          other | {"event":"é<"}             | {"event":"\\u00e9\\u003c"}                | true
          other | {"event":{"a": 1}}         | { "event" : {"a":1} }                     | true
          other | {"event":{"a":1,"b":2}}    | {"event":{"b":2,"a":1}}                   | false
          other | {"event":"1"}              | {"event":1}                               | false
          # time and fields don't count
          other | {"time":1,"event":"x"}     | {"time":2,"event":"x","fields":{"f":"2"}} | true
          # all else does
          other | {"host":"a","event":"x"}   | {"host":"b","event":"x"}                  | false
          other | {"source":"a","event":"x"} | {"event":"x"}                             | false
          other | {"sourcetype":"a","event":"x"} | {"sourcetype":"b","event":"x"}        | false
          other | {"index":"a","event":"x"}  | {"index":"b","event":"x"}                 | false
          other | {"host":"a","event":"x"}   | {"source":"a","event":"x"}                | false
          other | {"host":"ab","source":"c","event":"x"} | {"host":"a","source":"bc","event":"x"} | false
          # Fluent Bit's host names the port of the connection
          fluent-bit | {"host":"udp://10.0.0.1:40001","event":"x"} | {"host":"udp://10.0.0.1:40002","event":"x"} | true
          fluent-bit | {"host":"udp://10.0.0.1:40001","event":"x"} | {"host":"udp://10.0.0.2:40001","event":"x"} | false
          # SC4S: a time that the message had counts, the time of receipt does not
          sc4s | {"time":"5.1","event":"x","fields":{"sc4s_recv_time":"5.1"}} | {"time":"5.2","event":"x","fields":{"sc4s_recv_time":"5.2"}} | true
          sc4s | {"time":"5.1","event":"x","fields":{"sc4s_recv_time":"6"}}   | {"time":"5.1","event":"x","fields":{"sc4s_recv_time":"7"}}   | true
          sc4s | {"time":"5.1","event":"x","fields":{"sc4s_recv_time":"6"}}   | {"time":"5.2","event":"x","fields":{"sc4s_recv_time":"6"}}   | false
          # SC4S: what an instance says of itself
          sc4s | {"sourcetype":"sc4s:probe","event":"x"} | {"sourcetype":"sc4s:probe","event":"x"} | false
          # one collector that sends to both nodes
          copies | {"time":1,"event":"x"}    | {"time":2,"event":"x"}                    | false
          copies | {"time":1,"event":"x","fields":{"a":["1","2"]}} | {"time":1,"event":"x","fields":{"a":["1","2"]}} | true
          copies | {"event":"x","fields":{"a":"1"}} | {"event":"x","fields":{"a":"2"}}   | false
          """)
  void events_ofTwoNodes_areSame(String product, String one, String other, boolean isSame)
      throws Exception {
    assertThat(
            isSame(
                Product.valueOf(product.toUpperCase(Locale.ROOT).replace('-', '_')),
                "",
                one,
                other))
        .isEqualTo(isSame);
  }

  @Test
  void addressField_tellsSendersApart() throws Exception {
    String one = "{\"event\":\"x\",\"fields\":{\"ip\":\"10.0.0.1\"}}";
    String other = "{\"event\":\"x\",\"fields\":{\"ip\":\"10.0.0.2\"}}";
    assertThat(isSame(Product.OTHER, "", one, other)).isTrue();
    assertThat(isSame(Product.OTHER, "ip", one, other)).isFalse();
    assertThat(new EventIdentity(settings(Product.OTHER, "ip"), "a").sender(event(one)))
        .isEqualTo("10.0.0.1");
  }

  @Test
  void keyOrder_canBeIgnored_atEveryDepth() throws Exception {
    IdentitySettings sorted = new IdentitySettings(Product.OTHER, null, true, List.of());
    String one = "{\"event\":{\"b\":[{\"y\":1,\"x\":1.50}],\"a\":\"\\u00e9\"}}";
    assertThat(isSame(sorted, one, "{\"event\":{\"a\":\"é\",\"b\":[{\"x\":1.50,\"y\":1}]}}"))
        .isTrue();
    assertThat(isSame(sorted, one, "{\"event\":{\"a\":\"é\",\"b\":[{\"x\":1.5,\"y\":1}]}}"))
        .isFalse();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {"id":1,"m":{"id":1},"x":[7,8]}  | {"id":2,"m":{"id":1},"x":[7,9]} | true
          {"id":1,"m":{"id":1},"x":[7,8]}  | {"id":1,"m":{"id":2},"x":[7,8]} | false
          {"id":1,"m":{"id":1},"x":[7,8]}  | {"m":{"id":1},"x":[7]}          | true
          "id"                             | "id"                            | true
          """)
  void parts_thatPointersName_canBeIgnored(String one, String other, boolean isSame)
      throws Exception {
    IdentitySettings settings =
        new IdentitySettings(Product.OTHER, null, false, List.of("/id", "/x/1"));
    assertThat(isSame(settings, "{\"event\":" + one + "}", "{\"event\":" + other + "}"))
        .isEqualTo(isSame);
  }
}
