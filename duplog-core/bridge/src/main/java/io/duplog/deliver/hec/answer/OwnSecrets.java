package io.duplog.deliver.hec.answer;

import com.google.re2j.Pattern;
import java.util.List;

/**
 * Removes the HEC token and the proxy's login from log lines about a reply, which may repeat them.
 */
public final class OwnSecrets {
  private final List<Pattern> patterns;

  /**
   * @param secrets the secrets in plain text
   */
  public OwnSecrets(List<String> secrets) {
    // JSON, HTML and URLs may escape each character other than a letter or digit, as up to eight
    // characters.
    this.patterns =
        secrets.stream()
            .filter(secret -> !secret.isEmpty())
            .map(secret -> secret.replaceAll("[^A-Za-z0-9]", ".{1,8}?"))
            .map(form -> Pattern.compile(form, Pattern.DOTALL))
            .toList();
  }

  /** Returns the text with {@code ***} in place of each secret. */
  String redact(String text) {
    String redacted = text;
    for (Pattern secret : patterns) {
      redacted = secret.matcher(redacted).replaceAll("***");
    }
    return redacted;
  }
}
