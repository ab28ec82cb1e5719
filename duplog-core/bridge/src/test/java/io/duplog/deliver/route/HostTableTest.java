package io.duplog.deliver.route;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.duplog.config.ConfigException;
import io.duplog.config.RereadFile;
import io.duplog.deliver.syslog.Address;
import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Tests that an address gets its host name from a file of the administrator, and that a mistake in
 * the file is named.
 */
class HostTableTest {
  private static final byte[] ADDRESS = "10.1.2.3".getBytes(US_ASCII);

  private final Path file;
  private long nanos;

  HostTableTest(@TempDir Path folder) {
    file = folder.resolve("hosts.csv");
  }

  private static String name(HostTable table) {
    Address address = Objects.requireNonNull(Address.parse(ADDRESS, 0, ADDRESS.length));
    byte[] name = table.name(address);
    return name == null ? "none" : new String(name, US_ASCII);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          10.1.2.3            | must be an address or a network, a comma, and a name without spaces
          10.1.2.3,           | must be an address or a network, a comma, and a name without spaces
          10.1.2.3,a b        | must be an address or a network, a comma, and a name without spaces
          10.1.2.3,a,b        | must be an address or a network, a comma, and a name without spaces
          10.1.2.3,"a"        | must be an address or a network, a comma, and a name without spaces
          address,name        | must be an address or a network such as 10.1.0.0/16 or 2001:db8::/32
          10.1.2.0/16,a       | must have no host bits set: write 10.1.0.0/16, not 10.1.2.3/16
          10.1.0.9,a          | must not name an address or a network again
          ::ffff:10.1.0.9,a   | must not name an address or a network again
          """)
  void rowThatIsNotRight_isNamed(String row, String problem) throws IOException {
    Files.writeString(file, "\ufeff# names\n10.1.0.9,fw-9\n" + row + "\n10.1.2.3,fw-1\n");
    assertThatThrownBy(() -> HostTable.read(file))
        .isInstanceOf(ConfigException.class)
        .hasMessage(file + ":3: " + problem + ", not '" + row + "'");
  }

  @ParameterizedTest
  @CsvSource({"ISO-8859-1, 2", "UTF-16, 1"})
  void tableOfAnotherEncoding_isRefusedByItsLine(String charset, int line) throws IOException {
    Files.writeString(file, "10.1.0.9,fw-9\n10.1.2.3,b\u00fcro\n", Charset.forName(charset));
    assertThatThrownBy(() -> HostTable.read(file))
        .hasMessage(file + ":" + line + ": must be UTF-8");
  }

  @Test
  void fileThatIsNotThere_isNamed() {
    assertThatThrownBy(() -> HostTable.read(file)).hasMessageStartingWith(file + ": can't be read");
  }

  @Test
  void tableThatChanges_isReadAgain_andABadOneLeavesTheLastGood() throws Exception {
    Files.writeString(file, "10.1.0.0/16,old\n");
    RereadFile<HostTable> table = new RereadFile<>(file, HostTable::read, () -> nanos);
    assertThat(name(table.current())).isEqualTo("old");
    assertThat(nameAfter("10.1.0.0/16,new-name\n", table)).isEqualTo("new-name");
    assertThat(nameAfter("10.1.0.0/16,newest-name\n10.1.2.3\n", table)).isEqualTo("new-name");
    assertThat(nameAfter("10.1.2.4,another\n", table)).isEqualTo("none");
  }

  private String nameAfter(String content, RereadFile<HostTable> table) throws IOException {
    Files.writeString(file, content);
    for (int looks = 0; looks < 2; looks++) {
      nanos += Duration.ofSeconds(RereadFile.LOOK_SECONDS).toNanos();
      table.current();
    }
    return name(table.current());
  }
}
