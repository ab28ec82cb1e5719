package io.duplog.config;

/**
 * A password or token from the configuration, which no log and no error shows. Only {@link
 * #reveal()} returns its text.
 *
 * @param reveal the secret's text, for the code that sends it
 */
public record Secret(String reveal) {

  @Override
  public String toString() {
    return "***";
  }
}
