package io.duplog.deliver.hec.answer;

import com.google.re2j.Pattern;
import java.util.List;

/**
 * The token and the proxy's login, which are removed from log lines because an error page may
 * repeat the headers of a request.
 */
public final class OwnSecrets {
  private final List<Pattern> patterns;

  /**
   * @param secrets the secrets in clear text
   */
  public OwnSecrets(List<String> secrets) {
    // JSON, HTML and URLs may escape a character other than a letter or digit as up to eight ones.
    this.patterns =
        secrets.stream()
            .filter(secret -> !secret.isEmpty())
            .map(secret -> secret.replaceAll("[^A-Za-z0-9]", ".{1,8}?"))
            .map(form -> Pattern.compile(form, Pattern.DOTALL))
            .toList();
  }

  /** Returns the text with {@code ***} in place of each secret. */
  String removedFrom(String text) {
    String rest = text;
    for (Pattern secret : patterns) {
      rest = secret.matcher(rest).replaceAll("***");
    }
    return rest;
  }
}
