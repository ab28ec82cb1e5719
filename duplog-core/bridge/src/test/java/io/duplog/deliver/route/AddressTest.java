package io.duplog.deliver.route;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.duplog.deliver.syslog.Address;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests how IP addresses and networks in routing rules are read and matched. */
class AddressTest {
  private static @Nullable Address parse(String text) {
    byte[] bytes = ("1" + text + "1").getBytes(StandardCharsets.ISO_8859_1);
    return Address.parse(bytes, 1, bytes.length - 1);
  }

  @ParameterizedTest
  @CsvSource({
    "10.1.2.3, ::ffff:10.1.2.3",
    "10.1.2.3, ::ffff:a01:203",
    "::, 0:0:0:0:0:0:0:0",
    "::1, 0:0:0:0:0:0:0:1",
    "1::, 1:0:0:0:0:0:0:0",
    "1:2:3:4:5:6:7::, 1:2:3:4:5:6:7:0",
    "2001:DB8::a, 2001:db8:0:0::A",
    "64:ff9b::10.1.2.3, 64:ff9b::a01:203",
    "fe80::1%eth0, fe80::1",
    "10.1.2.3, 010.001.02.003",
    "0.0.0.0, 000.00.0.000",
    "255.255.255.255, ::ffff:255.255.255.255",
    "::ffff:10.1.0.5, ::ffff:010.1.00.005",
  })
  void address_writtenTwoWays_isTheSame(String one, String other) {
    assertThat(parse(one)).isNotNull().isEqualTo(parse(other));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        ":",
        ":::",
        "1",
        "10.1.2",
        "10.1.2.256",
        "10.1.2.0003",
        "10.1.2.3.4",
        "256.1.2.3",
        "10..2.3",
        "0000001e.0794c164",
        "10.1.2.",
        ".1.2.3",
        "1:2",
        "1::2::3",
        "1:2:3:4:5:6:7:8:9",
        "1:2:3:4:5:6:7:8::",
        "12345::",
        "1:",
        ":1",
        "g::",
        "::10.1.2.3:1",
        "1:2:3:4:5:6:7:10.1.2.3",
        "web-1",
        "10.1.2.3 ",
        "\u00e4::",
        "dead:beef",
        "1111:2222:3333:4444:5555:6666:7777:8888:9999:aaaa"
      })
  void address_thatIsNone_isRefused(String text) {
    assertThat(parse(text)).isNull();
  }

  @ParameterizedTest
  @CsvSource({
    "10.1.0.0/16, 10.1.255.255, 10.2.0.0",
    "10.1.2.3, 10.1.2.3, 10.1.2.2",
    "10.1.2.2/31, ::ffff:10.1.2.3, 10.1.2.4",
    "0.0.0.0/0, 255.255.255.255, ::1",
    "2001:db8::/32, 2001:db8:ffff::1, 2001:db9::",
    "2001:db8::/64, 2001:db8::ffff, 2001:db8:0:1::",
    "2001:db8::8000:0:0:0/65, 2001:db8::8000:0:0:1, 2001:db8::1",
    "2001:db8::1/128, 2001:db8::1, 2001:db8::2",
  })
  void network_containsWhatBeginsLikeIt(String network, String inside, String outside) {
    assertThat(Network.parse(network).contains(parse(inside))).isTrue();
    assertThat(Network.parse(network).contains(parse(outside))).isFalse();
    assertThat(Network.parse("::/0").contains(parse(outside))).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "", "/8", "10.0.0.0/33", "::/129",
        "10.0.0.0/", "10.0.0.0/-1", "10.0/8", "fe80::1%eth0"
      })
  void network_thatIsNone_isRefused(String text) {
    assertThatThrownBy(() -> Network.parse(text)).hasMessageContaining("such as 10.1.0.0/16");
  }

  @Test
  void network_withHostBits_isRefused() {
    assertThatThrownBy(() -> Network.parse("10.1.2.0/16")).hasMessageContaining("no host bits");
  }
}
