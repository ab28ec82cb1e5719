package io.duplog.config;

import static org.assertj.core.api.Assertions.assertThat;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests which host names and URLs a configuration accepts, and the reasons given for those that it
 * refuses.
 */
class HostsTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "a",
        "node-a",
        "Node-A.Example.NET",
        "node-a.example.net.",
        "10.0.0.7",
        "3com.example",
        "::1",
        "[::1]",
        "fe80::1%eth0",
        "[2001:db8::7]",
        "a.123x",
        "xn--mller-kva.example",
        "a--b"
      })
  void problem_validHost_isNull(String host) {
    assertThat(Hosts.problem(host, true)).isNull();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "redis://10.0.0.7:6379 | leave out 'redis://'",
        "https://splunk | leave out 'https://'",
        "user:pw@redis | leave out what stands before the '@'",
        "redis:6379 | leave out the port",
        "[::1]:6379 | leave out the port",
        "1:2:3 | leave out the port",
        "a b | it has a blank",
        "a\u00a0b | it has a blank",
        "redis/0 | it must not contain a path",
        "/run/redis.sock | it must not contain a path",
        "a\\b | it must not contain a path",
        "10.0.0.256 | it is no IPv4 address",
        "10.0.0 | it is no IPv4 address",
        "10.0.0.7. | it is no IPv4 address",
        "10.0.0..7 | it is no IPv4 address",
        "a..b | a name has 1 to 63",
        ".a | a name has 1 to 63",
        "a.. | a name has 1 to 63",
        "-a.example | a name has only",
        "a-.example | a name has only",
        "* | a name has only",
        "${HOST} | a name has only",
        "a,b | a name has only",
        "m\u00fcller.example | DNS has it as xn--mller-kva.example",
        "node_a.example | URLs and TLS allow no '_'",
        "_a | URLs and TLS allow no '_'",
      })
  void problem_invalidHost_isDescribed(String host, String problem) {
    assertThat(Hosts.problem(host, true)).startsWith(problem);
  }

  @ParameterizedTest
  @ValueSource(strings = {"node_a", "my_redis.example", "_a"})
  void problem_underscoreInUnverifiedName_isNull(String host) {
    assertThat(Hosts.problem(host, false)).isNull();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      nullValues = "-",
      value = {
        "https://splunk.example.com:8088 | -",
        "http://[::1]:8088/a@b/ | -",
        "https://splunk.example.com.:65535 | -",
        "https://splunk | -",
        "splunk:8088 | it must begin with https:// or http://",
        "ftp://splunk | it must begin with https:// or http://",
        "HTTPS://splunk | it must begin with https:// or http://",
        "https:splunk | it must begin with https:// or http://",
        "https:// | it names no host",
        "https://:8088 | it names no host",
        "https://splunk:65536 | a port is a number from 1 to 65535",
        "https://splunk:99999999999 | a port is a number from 1 to 65535",
        "https://splunk:0 | a port is a number from 1 to 65535",
        "https://splunk: | a port is a number from 1 to 65535",
        "https://splunk:8O88 | a port is a number from 1 to 65535",
        "https://splunk:8088:8089 | a port is a number from 1 to 65535",
        "https://splunk_hec:8088 | URLs and TLS allow no '_'",
        "https://10.0.0.300:8088 | it is no IPv4 address",
        "https://u:p@splunk | leave out what stands before the '@'",
        "https://token@splunk | leave out what stands before the '@'",
        "https://splunk?token=x | leave out the '?'",
        "https://splunk/#x | leave out the '?'",
        "https://splunk/a b | it has a character",
        "https://spl unk | it has a blank",
      })
  void problemOfUrl_url_isNullOrDescribed(String url, @Nullable String problem) {
    String actual = Hosts.problemOfUrl(url, "https", "http");
    if (problem == null) {
      assertThat(actual).isNull();
    } else {
      assertThat(actual).startsWith(problem);
    }
  }
}
