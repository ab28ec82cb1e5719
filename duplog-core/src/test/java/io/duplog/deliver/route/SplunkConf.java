package io.duplog.deliver.route;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads Splunk's .conf syntax, strictly: stanzas of settings, each once; comments of whole lines.
 */
final class SplunkConf {
  private static final Pattern STANZA = Pattern.compile("\\[([^\\[\\]]*)]");
  private static final Pattern SETTING =
      Pattern.compile("([A-Za-z_][A-Za-z0-9_.-]*) =(?: (.*\\S))?");

  private SplunkConf() {}

  static Map<String, Map<String, String>> read(Path file) throws IOException {
    Map<String, Map<String, String>> stanzas = new LinkedHashMap<>();
    Map<String, String> current = null;
    int number = 0;
    for (String line : Files.readAllLines(file)) {
      number++;
      if (line.isBlank() || line.startsWith("#")) {
        continue;
      }
      Matcher stanza = STANZA.matcher(line);
      Matcher setting = SETTING.matcher(line);
      if (stanza.matches()) {
        current = new LinkedHashMap<>();
        if (stanzas.put(stanza.group(1), current) != null) {
          throw new IOException(file + ":" + number + ": stanza is there twice: " + line);
        }
      } else if (current == null || !setting.matches()) {
        throw new IOException(file + ":" + number + ": neither stanza nor setting: " + line);
      } else if (current.put(setting.group(1), setting.group(2)) != null) {
        throw new IOException(file + ":" + number + ": setting is there twice: " + line);
      }
    }
    return stanzas;
  }
}
