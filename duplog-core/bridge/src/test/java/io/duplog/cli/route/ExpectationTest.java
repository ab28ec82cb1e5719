package io.duplog.cli.route;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Tests how the expected metadata of a sample message is written, read and compared with the actual
 * metadata.
 */
class ExpectationTest {
  @Test
  void sourcetypeAlone_mayContainSpaces() {
    assertThat(Expectation.parse("my=own type").values())
        .isEqualTo(Map.of("sourcetype", "my=own type"));
    assertThat(Expectation.parse("cisco:asa ").sourcetype()).isEqualTo("cisco:asa");
  }

  @Test
  void otherValues_followInAnyOrder() {
    Expectation all =
        Expectation.parse("a:b  source=udp 514 time=2026-11-24t11:15:00.5+01:00 host=- index=os");
    assertThat(all.values())
        .isEqualTo(
            Map.of(
                "sourcetype", "a:b",
                "source", "udp 514",
                "time", "2026-11-24T10:15:00.500Z",
                "host", "-",
                "index", "os"));
    assertThat(Expectation.parse("a time=-").values()).containsEntry("time", "-");
  }

  @Test
  void differences_includeOnlyExpectedValues() {
    Map<String, String> got = Map.of("sourcetype", "a", "host", "h", "index", "i", "time", "-");
    assertThat(Expectation.parse("a host=h").differences(got)).isEmpty();
    assertThat(Expectation.parse("b index=i host=x").differences(got))
        .containsExactly("sourcetype", "host");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "host=a          | must begin with a sourcetype, not 'host=a'",
        "a Host=b        | must have host=, time=, index=, source= or topic= behind the sourcetype, not 'Host=b'",
        "a host=         | host= must have a value; - is none",
        "a host=b host=c | must not have host= twice",
        "a time=today    | time= must be an RFC 3339 instant such as 2026-11-24T10:15:00Z, not 'today'",
        "' '             | must begin with a sourcetype, not ' '",
      })
  void invalidExpectation_isRejected_withTheProblem(String cell, String problem) {
    assertThatThrownBy(() -> Expectation.parse(cell))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(problem);
  }
}
