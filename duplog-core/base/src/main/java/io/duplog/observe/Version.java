package io.duplog.observe;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;

/** The version and the git commit of this build, which {@code --version} prints. */
public final class Version {
  private Version() {}

  /**
   * Returns the version from the jar's manifest, such as {@code 1.2.0}, or a note in parentheses if
   * the classes are not in a jar.
   */
  public static String number() {
    String version = Version.class.getPackage().getImplementationVersion();
    return version == null ? "(not from a jar)" : version;
  }

  /**
   * Returns the text that {@code --version} prints after the program's name, such as {@code 1.2.0
   * (commit 0123456789ab, Java 17.0.21)}.
   */
  public static String line() {
    return "%s (%s, Java %s)".formatted(number(), commit(), Runtime.version());
  }

  private static String commit() {
    Properties properties = new Properties();
    try (InputStream in = Version.class.getResourceAsStream("build.properties")) {
      properties.load(in);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return properties.getProperty("build");
  }
}
