package io.duplog.observe;

/** The program's version, from the jar's manifest. */
public final class Version {
  private Version() {}

  /**
   * Returns the version, such as {@code 1.2.0}; a word in parentheses if the classes are not in a
   * jar.
   */
  public static String number() {
    String version = Version.class.getPackage().getImplementationVersion();
    return version == null ? "(not from a jar)" : version;
  }
}
