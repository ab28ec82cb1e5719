package io.duplog.config;

/**
 * A password or token from the configuration. Logs and errors never show its text.
 *
 * @param reveal the secret's text, for the code that sends it
 */
public record Secret(String reveal) {

  @Override
  public String toString() {
    return "***";
  }
}
