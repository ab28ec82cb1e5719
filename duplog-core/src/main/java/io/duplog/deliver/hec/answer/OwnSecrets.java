package io.duplog.deliver.hec.answer;

import com.google.re2j.Pattern;
import java.util.List;

/** The token and the proxy's login, which an error page repeats if it shows a request's headers. */
public final class OwnSecrets {
  private final List<Pattern> written;

  /**
   * @param secrets in clear text
   */
  public OwnSecrets(List<String> secrets) {
    // JSON, HTML and URLs may write a character that is no letter or digit as up to eight others.
    this.written =
        secrets.stream()
            .filter(secret -> !secret.isEmpty())
            .map(secret -> secret.replaceAll("[^A-Za-z0-9]", ".{1,8}?"))
            .map(form -> Pattern.compile(form, Pattern.DOTALL))
            .toList();
  }

  /** Puts {@code ***} in their place. */
  String removedFrom(String text) {
    String rest = text;
    for (Pattern secret : written) {
      rest = secret.matcher(rest).replaceAll("***");
    }
    return rest;
  }
}
