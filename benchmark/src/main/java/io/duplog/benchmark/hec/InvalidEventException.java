package io.duplog.benchmark.hec;

/** One event can't be taken, for a reason of Splunk's table. */
final class InvalidEventException extends Exception {
  private final transient HecCode code;

  InvalidEventException(HecCode code) {
    super(code.text(), null, false, false); // one for each bad event, caught a few lines on
    this.code = code;
  }

  HecCode code() {
    return code;
  }
}
