package io.duplog.ingest.hec;

import io.duplog.config.Checks;
import io.duplog.config.Key;
import io.duplog.config.Secret;
import org.jspecify.annotations.Nullable;

/** A token, with the metadata that its events get unless they have their own. */
public record HecToken(
    @Key(doc = "Name of the token in log lines.", example = "sc4s") String name,
    @Key(doc = "The token itself.", example = "${file:/etc/duplog/hec-in.token}") Secret token,
    @Key(doc = "What makes two events the same. The same on all nodes.") IdentitySettings identity,
    @Key(doc = "Host of events that have none.", example = "web-1") @Nullable String host,
    @Key(doc = "Source of events that have none.", example = "app") @Nullable String source,
    @Key(doc = "Sourcetype of events that have none.", example = "syslog")
        @Nullable String sourcetype,
    @Key(doc = "Index of events that have none.", example = "main") @Nullable String index) {

  public HecToken {
    Checks.notBlank("name", name);
    Checks.notBlank("token", token.reveal());
    notBlank("host", host);
    notBlank("source", source);
    notBlank("sourcetype", sourcetype);
    notBlank("index", index);
  }

  private static void notBlank(String key, @Nullable String value) {
    if (value != null) {
      Checks.notBlank(key, value);
    }
  }
}
