package io.duplog.config;

/**
 * A password or token. It shows itself to nobody who does not ask by name: not in a log, not in an
 * error, not in the {@code toString} of a record that holds it.
 *
 * @param reveal the secret itself, for the one place that sends it
 */
public record Secret(String reveal) {

  public static Secret of(String value) {
    return new Secret(value);
  }

  public boolean isEmpty() {
    return reveal.isEmpty();
  }

  @Override
  public String toString() {
    return "***";
  }
}
