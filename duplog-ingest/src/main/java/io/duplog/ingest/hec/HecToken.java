package io.duplog.ingest.hec;

import io.duplog.config.Checks;
import io.duplog.config.Key;
import io.duplog.config.Secret;
import org.jspecify.annotations.Nullable;

/** A token, with the metadata that its events get unless they have their own. */
public record HecToken(
    @Key(doc = "Name of the token in log lines.", example = "sc4s") String name,
    @Key(doc = "The token itself.", example = "${file:/etc/duplog/hec.token}") Secret token,
    @Key(
            doc =
                "The product that uses the token. It decides what makes two events the same. The same"
                    + " on all nodes.",
            defaultValue = "other")
        Product product,
    @Key(doc = "Host of events that have none.", example = "web-1") @Nullable String host,
    @Key(doc = "Source of events that have none.", example = "app") @Nullable String source,
    @Key(doc = "Sourcetype of events that have none.", example = "syslog")
        @Nullable String sourcetype,
    @Key(doc = "Index of events that have none.", example = "main") @Nullable String index,
    @Key(
            doc =
                "Indexed field with the sender's address. It is part of what makes two events the"
                    + " same, and the sender's name in Duplog's views. The same on all nodes.",
            example = "client_ip")
        @Nullable String addressField) {

  public HecToken {
    Checks.notBlank("name", name);
    Checks.notBlank("token", token.reveal());
    notBlank("host", host);
    notBlank("source", source);
    notBlank("sourcetype", sourcetype);
    notBlank("index", index);
    notBlank("address-field", addressField);
  }

  private static void notBlank(String key, @Nullable String value) {
    if (value != null) {
      Checks.notBlank(key, value);
    }
  }
}
