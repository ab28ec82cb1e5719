package io.duplog.bridge;

import io.duplog.deliver.hec.HecSinkConfig;
import io.duplog.deliver.syslog.MessageNumber;
import io.duplog.deliver.syslog.SyslogHeader;
import io.duplog.senders.Headers;
import io.duplog.wire.EventHead;
import io.duplog.wire.MessageBatch;
import io.duplog.wire.MessageForm;
import java.nio.charset.StandardCharsets;
import java.time.ZoneOffset;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Reads the host, the clock's error and the message number from a message's header, or from an
 * event's metadata, for the inventory of senders. Not thread-safe.
 */
public final class SenderHeaders implements Headers.Reader {
  private final SyslogHeader header;
  private final MessageNumber number = new MessageNumber();
  private String host = "";

  /**
   * @param hec the HEC sink's section, which has the time zone of timestamps without one, or null
   *     for UTC
   */
  public SenderHeaders(@Nullable HecSinkConfig hec) {
    header = new SyslogHeader(hec == null ? ZoneOffset.UTC : hec.routing().timeZone().id());
  }

  @Override
  public @Nullable Long aheadMillis(MessageBatch batch, int message, long receivedMillis) {
    if (batch.form() == MessageForm.EVENT) {
      EventHead event = batch.eventHead(message);
      host = Objects.requireNonNullElse(event.host(), "");
      return event.time() == null ? null : event.timeMillis() - receivedMillis;
    }
    byte[] data = batch.data();
    header.parse(data, batch.textStart(message), batch.end(message), receivedMillis);
    int start = header.hostStart();
    host = new String(data, start, header.hostEnd() - start, StandardCharsets.ISO_8859_1);
    return header.facility() < 0 || !header.hasTime()
        ? MALFORMED
        : header.timeMillis() - receivedMillis;
  }

  @Override
  public String host() {
    return Headers.isHost(host) ? host : "";
  }

  @Override
  public long number(byte[] data, int start, int end) {
    return number.find(data, start, end);
  }
}
