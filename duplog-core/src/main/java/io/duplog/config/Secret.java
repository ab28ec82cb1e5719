package io.duplog.config;

/**
 * A password or token. Its text is shown only by {@link #reveal()}: never in a log, in an error, or
 * in the {@code toString} of a record that holds it.
 *
 * @param reveal the secret itself, for the code that sends it
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
