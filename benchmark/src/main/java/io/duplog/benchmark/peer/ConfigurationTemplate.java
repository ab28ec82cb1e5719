package io.duplog.benchmark.peer;

import io.duplog.rig.LabException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A server's configuration file in this package's resources, with places like {{port}} in it. */
final class ConfigurationTemplate {
  private static final Pattern PLACE = Pattern.compile("\\{\\{(\\w+)}}");

  private ConfigurationTemplate() {}

  /**
   * Fills the places.
   *
   * @param resource such as {@code rsyslog.conf}
   * @throws IllegalArgumentException if it has a place that has no value
   */
  static String fill(String resource, Map<String, String> values) throws LabException {
    try (InputStream in = ConfigurationTemplate.class.getResourceAsStream(resource)) {
      if (in == null) {
        throw new IllegalArgumentException("no resource " + resource);
      }
      return fillText(new String(in.readAllBytes(), StandardCharsets.UTF_8), values);
    } catch (IOException e) {
      throw new LabException(resource + " can't be read: " + e, e);
    }
  }

  static String fillText(String template, Map<String, String> values) {
    return PLACE
        .matcher(template)
        .replaceAll(
            place -> {
              String value = values.get(place.group(1));
              if (value == null) {
                throw new IllegalArgumentException("nothing for " + place.group());
              }
              return Matcher.quoteReplacement(value);
            });
  }
}
