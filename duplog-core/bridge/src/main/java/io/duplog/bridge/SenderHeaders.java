package io.duplog.bridge;

import io.duplog.deliver.hec.HecSinkConfig;
import io.duplog.deliver.syslog.MessageNumber;
import io.duplog.deliver.syslog.SyslogHeader;
import io.duplog.senders.Headers;
import java.nio.charset.StandardCharsets;
import java.time.ZoneOffset;
import org.jspecify.annotations.Nullable;

/**
 * Reads the host, the clock's error and the message number from a message's header, for the
 * inventory of senders. Not thread-safe.
 */
public final class SenderHeaders implements Headers.Reader {
  private final SyslogHeader header;
  private final MessageNumber number = new MessageNumber();

  /**
   * @param hec the HEC sink's section, which has the time zone of timestamps without one, or null
   *     for UTC
   */
  public SenderHeaders(@Nullable HecSinkConfig hec) {
    header = new SyslogHeader(hec == null ? ZoneOffset.UTC : hec.routing().timeZone().id());
  }

  @Override
  public long aheadMillis(byte[] data, int start, int end, long receivedMillis) {
    header.parse(data, start, end, receivedMillis);
    return header.facility() < 0 || !header.hasTime()
        ? MALFORMED
        : header.timeMillis() - receivedMillis;
  }

  @Override
  public String host(byte[] data) {
    int start = header.hostStart();
    String host = new String(data, start, header.hostEnd() - start, StandardCharsets.ISO_8859_1);
    return Headers.isHost(host) ? host : "";
  }

  @Override
  public long number(byte[] data, int start, int end) {
    return number.find(data, start, end);
  }
}
