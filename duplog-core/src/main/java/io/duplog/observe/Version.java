package io.duplog.observe;

/** The version in the jar's manifest. */
public final class Version {
  private Version() {}

  /** As {@code 1.2.0}; a word in parentheses where the classes do not come from a jar. */
  public static String number() {
    String version = Version.class.getPackage().getImplementationVersion();
    return version == null ? "(not from a jar)" : version;
  }
}
