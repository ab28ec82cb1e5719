package io.duplog.ingest.bulk;

import io.duplog.config.Checks;
import io.duplog.config.Key;
import io.duplog.config.Secret;

/**
 * The configuration section {@code listen} of a shim that receives messages from rsyslog's
 * omelasticsearch by HTTP. It must match the parameters of rsyslog's action.
 */
public record ListenSettings(
    @Key(
            doc =
                "The action's serverport, on 127.0.0.1: no other host can connect. Below 1024 no other"
                    + " user of this host can stand in the shim's place while it is away.",
            defaultValue = "516")
        int port,
    @Key(
            doc =
                "The action's pwd; its uid is duplog. Any user of this host can connect, and only who"
                    + " has this password is listened to.")
        Secret password) {

  public ListenSettings {
    Checks.within("port", port, 0, 65_535);
    Checks.notBlank("password", password.reveal());
  }
}
