package io.duplog.ingest;

import picocli.CommandLine.IVersionProvider;

/** The version in the jar's manifest. */
final class Version implements IVersionProvider {
  @Override
  public String[] getVersion() {
    String version = Version.class.getPackage().getImplementationVersion();
    return new String[] {"duplog-ingest " + (version == null ? "(not packaged)" : version)};
  }
}
