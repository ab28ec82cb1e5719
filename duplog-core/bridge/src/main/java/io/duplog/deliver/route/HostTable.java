package io.duplog.deliver.route;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.common.base.Utf8;
import io.duplog.config.ConfigException;
import io.duplog.deliver.syslog.Address;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Looks up the host name for a sender's address in a file that the administrator wrote. Immutable.
 */
final class HostTable {
  private final Map<Network, byte[]> names = new HashMap<>();

  /** All prefix lengths that occur in the table, the longest first. */
  private final int[] prefixes;

  /**
   * Reads the table's rows.
   *
   * @param rows lines of the file, decoded as ISO 8859-1 so that each character is one byte
   * @throws ConfigException that names the first row that is not {@code address-or-network,name}
   */
  private HostTable(Path file, List<String> rows) throws ConfigException {
    for (int i = 0; i < rows.size(); i++) {
      byte[] bytes = rows.get(i).getBytes(ISO_8859_1);
      if (!Utf8.isWellFormed(bytes)) {
        throw ConfigException.at(file.toString(), i + 1, "", "must be UTF-8");
      }
      // the byte order mark of spreadsheets
      String row = new String(bytes, UTF_8).replace("\ufeff", "").strip();
      if (!row.isEmpty() && !row.startsWith("#")) {
        try {
          add(row);
        } catch (IllegalArgumentException e) {
          throw ConfigException.at(
              file.toString(), i + 1, "", e.getMessage() + ", not '" + row + "'");
        }
      }
    }
    TreeSet<Integer> lengths = new TreeSet<>(Comparator.reverseOrder());
    names.keySet().forEach(network -> lengths.add(network.prefix()));
    prefixes = lengths.stream().mapToInt(Integer::intValue).toArray();
  }

  static HostTable read(Path file) throws ConfigException {
    try {
      return new HostTable(file, Files.readAllLines(file, ISO_8859_1));
    } catch (IOException e) {
      throw ConfigException.unreadable(file, e);
    }
  }

  private void add(String row) {
    String[] cells = row.split(",", -1);
    if (cells.length != 2 || !cells[1].strip().matches("[^\\s\"]+")) {
      throw new IllegalArgumentException(
          "must be an address or a network, a comma, and a name without spaces");
    }
    if (names.put(Network.parse(cells[0].strip()), cells[1].strip().getBytes(UTF_8)) != null) {
      throw new IllegalArgumentException("must not name an address or a network again");
    }
  }

  /** Returns the name of the smallest network that contains the address, or null if none does. */
  byte @Nullable [] name(Address address) {
    byte[] found = null;
    for (int i = 0; i < prefixes.length && found == null; i++) {
      found = names.get(Network.around(address, prefixes[i]));
    }
    return found;
  }
}
