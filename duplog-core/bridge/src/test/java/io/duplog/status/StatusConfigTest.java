package io.duplog.status;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.duplog.tls.ServerTlsConfig;
import java.net.InetSocketAddress;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests on which addresses the status page may listen, and when the tap is allowed. */
class StatusConfigTest {
  @Test
  void empty_isOff() {
    assertThat(new StatusConfig("", null, false).isOff()).isTrue();
  }

  @ParameterizedTest
  @CsvSource({
    "127.0.0.1:8514,127.0.0.1,8514",
    "0.0.0.0:0,0.0.0.0,0",
    "[::1]:8514,0:0:0:0:0:0:0:1,8514"
  })
  void addressAndPort_areUnderstood(String listen, String host, int port) {
    StatusConfig config = new StatusConfig(listen, null, false);

    assertThat(config.isOff()).isFalse();
    assertThat(config.address().getAddress().getHostAddress()).isEqualTo(host);
    assertThat(config.address().getPort()).isEqualTo(port);
  }

  @ParameterizedTest
  @ValueSource(strings = {"8514", "localhost", "127.0.0.1:", "127.0.0.1:99999", ":8514", "::1:x"})
  void anythingElse_isRefused(String listen) {
    assertThatThrownBy(() -> new StatusConfig(listen, null, false))
        .hasMessageContaining("must be an address and a port such as 127.0.0.1:8514");
  }

  @ParameterizedTest
  @CsvSource({
    "127.0.0.1,localhost:8514,true",
    "127.0.0.1,127.0.0.1:8514,true",
    "127.0.0.1,[::1]:8514,true",
    "127.0.0.1,LOCALHOST,true",
    "127.0.0.1,duplog.example:8514,false",
    "127.0.0.1,127.1.2.3,true",
    "127.0.0.1,127.0.0.1.,true",
    "127.0.0.1,localhost.:8514,true",
    "127.0.0.1,localhost:1,true",
    "127.0.0.1,[::ffff:127.0.0.1]:8514,true",
    "127.0.0.1,[0:0:0:0:0:0:0:1],true",
    "::1,127.0.0.1:8514,true",
    "127.0.0.1,0.0.0.0:8514,false",
    "127.0.0.1,[::]:8514,false",
    "127.0.0.1,[::ffff:0.0.0.0],false",
    "127.0.0.1,10.1.2.3:8514,false",
    "127.0.0.1,[2001:db8::1]:8514,false",
    "127.0.0.1,127.0.0.1.nip.io,false",
    "127.0.0.1,localhost.evil.example,false",
    "127.0.0.1,evil.localhost,false",
    "127.0.0.1,localtest.me,false",
    "127.0.0.1,localhost..,false",
    "127.0.0.1,2130706433,false",
    "127.0.0.1,0x7f.1,false",
    "127.0.0.1,127.1,false",
    "127.0.0.1,::1:8514,false",
    "127.0.0.1,localhost:99999,false",
    "127.0.0.1,localhost:x,false",
    "127.0.0.1,u@localhost,false",
    "127.0.0.1,localhost/x,false",
    "127.0.0.1,'',false",
    "127.0.0.1,,false",
    "127.0.0.1,a:b:c:d:e,false",
    "0.0.0.0,duplog.example:8514,true",
  })
  void hostHeader_ofALocalPage_namesThisMachine(
      String listening, @Nullable String host, boolean accepted) {
    HostCheck check = new HostCheck(new InetSocketAddress(listening, 8514));

    assertThat(check.accepts(host == null ? List.of() : List.of(host))).isEqualTo(accepted);
  }

  /** The file refused.csv of the bridge's settings has what is refused. */
  @ParameterizedTest
  @CsvSource({"127.0.0.1:1,", "[::1]:1,", "0.0.0.0:1,/ca.pem", "'',"})
  void tap_isAllowed_onThisHost_orToWhoHasACertificate(String listen, @Nullable String clientCa) {
    ServerTlsConfig tls = clientCa == null ? null : new ServerTlsConfig("/c", "/k", clientCa);

    assertThat(new StatusConfig(listen, tls, true).tap()).isTrue();
  }
}
