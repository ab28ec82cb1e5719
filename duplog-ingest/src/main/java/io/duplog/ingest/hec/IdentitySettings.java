package io.duplog.ingest.hec;

import com.fasterxml.jackson.core.JsonPointer;
import io.duplog.config.Checks;
import io.duplog.config.Key;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The section {@code identity} of a token, which decides what makes two events the same. */
public record IdentitySettings(
    @Key(doc = "The product that uses the token.", defaultValue = "other") Product product,
    @Key(
            doc =
                "Indexed field with the sender's address. It is part of the identity, and the"
                    + " sender's name in Duplog's views.",
            example = "client_ip")
        @Nullable String addressField,
    @Key(
            doc =
                "Whether the order of an object's keys is ignored (RFC 8785), for events that are"
                    + " JSON objects.",
            defaultValue = "false")
        boolean ignoreKeyOrder,
    @Key(
            doc =
                "JSON pointers (RFC 6901) to parts of an event that are ignored, such as an id that"
                    + " each collector makes up.",
            defaultValue = "",
            example = "/meta/id",
            unit = "pointers")
        List<String> ignore) {

  public IdentitySettings {
    if (addressField != null) {
      Checks.notBlank("address-field", addressField);
    }
    for (String pointer : ignore) {
      if (!pointer.startsWith("/")) {
        throw Checks.refuse(
            "ignore", "must be JSON pointers such as /meta/id, not '" + pointer + "'");
      }
    }
  }

  /** Returns what brings an event's JSON into the form that is compared. */
  CanonicalJson canonicalJson() {
    return new CanonicalJson(ignoreKeyOrder, ignore.stream().map(JsonPointer::compile).toList());
  }
}
