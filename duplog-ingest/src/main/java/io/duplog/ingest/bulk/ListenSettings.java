package io.duplog.ingest.bulk;

import io.duplog.config.Checks;
import io.duplog.config.Key;
import io.duplog.config.Secret;

/**
 * The configuration section {@code listen} of a shim that receives messages from rsyslog's
 * omelasticsearch by HTTP. The values must match the parameters of rsyslog's action.
 */
public record ListenSettings(
    @Key(
            doc =
                "Port on 127.0.0.1, equal to the action's serverport. Other hosts can't"
                    + " connect. Keep it below 1024, so that no other user of this host can take"
                    + " the port while the shim is not running.",
            defaultValue = "516")
        int port,
    @Key(
            doc =
                "Password, equal to the action's pwd; the action's uid is duplog. Any user"
                    + " of this host can connect, but the shim accepts messages only with this"
                    + " password.",
            example = "${file:/etc/duplog/listen.password}")
        Secret password) {

  public ListenSettings {
    Checks.within("port", port, 0, 65_535);
    Checks.notBlank("password", password.reveal());
  }
}
