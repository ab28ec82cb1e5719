package io.duplog.config;

/**
 * A password or token. Only {@link #reveal()} returns its text; logs, errors and the {@code
 * toString} of a record with a secret don't contain it.
 *
 * @param reveal the secret's text, for the code that sends it
 */
public record Secret(String reveal) {

  @Override
  public String toString() {
    return "***";
  }
}
