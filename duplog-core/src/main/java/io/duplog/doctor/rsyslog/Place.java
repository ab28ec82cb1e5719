package io.duplog.doctor.rsyslog;

import java.nio.file.Path;

/** Where something stands in a configuration. */
record Place(Path file, int line) {
  @Override
  public String toString() {
    return file.getFileName() + ":" + line;
  }
}
