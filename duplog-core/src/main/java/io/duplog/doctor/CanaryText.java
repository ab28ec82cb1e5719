package io.duplog.doctor;

/** What a canary says, so that whoever finds it in the merged stream knows what it is. */
final class CanaryText {
  private CanaryText() {}

  /** An RFC 5424 message of severity debug, without a time: the same on every path. */
  static String of(String id) {
    return "<15>1 - duplog-doctor duplog-canary - - - duplog canary " + id;
  }
}
