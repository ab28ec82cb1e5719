package io.duplog.config;

/**
 * A password or token. Its text is shown only by {@link #reveal()}: never in a log, in an error, or
 * in the {@code toString} of a record that holds it.
 *
 * @param reveal the secret itself, for the code that sends it
 */
public record Secret(String reveal) {

  @Override
  public String toString() {
    return "***";
  }
}
