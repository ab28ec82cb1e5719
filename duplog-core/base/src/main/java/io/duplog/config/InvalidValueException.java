package io.duplog.config;

/**
 * Thrown if the value of a configuration key is refused, with the key and the problem for the error
 * message.
 */
final class InvalidValueException extends IllegalArgumentException {
  private final String key;

  InvalidValueException(String key, String problem) {
    super(problem);
    this.key = key;
  }

  /** Returns the key relative to the record, such as {@code prefetch}. */
  String key() {
    return key;
  }

  /**
   * Returns the problem as a clause that begins with a verb, such as {@code must be positive, not
   * 0}.
   */
  String problem() {
    return String.valueOf(super.getMessage());
  }

  /** Returns the key and the problem, for code that creates a record without reading a file. */
  @Override
  public String getMessage() {
    return key + " " + problem();
  }
}
