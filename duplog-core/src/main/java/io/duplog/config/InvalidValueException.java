package io.duplog.config;

/** A record's constructor refuses the value of one of its keys. */
final class InvalidValueException extends IllegalArgumentException {
  private final String key;

  InvalidValueException(String key, String problem) {
    super(problem);
    this.key = key;
  }

  /** Relative to the record that refuses: {@code prefetch}. */
  String key() {
    return key;
  }

  /** What is wrong, beginning with a verb: {@code must be positive, not 0}. */
  String problem() {
    return String.valueOf(super.getMessage());
  }

  /** For those who make a record without a file. */
  @Override
  public String getMessage() {
    return key + " " + problem();
  }
}
