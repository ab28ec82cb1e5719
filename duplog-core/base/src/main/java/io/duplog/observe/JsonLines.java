package io.duplog.observe;

import static java.nio.charset.StandardCharsets.UTF_8;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.IThrowableProxy;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.Appender;
import ch.qos.logback.core.OutputStreamAppender;
import ch.qos.logback.core.encoder.EncoderBase;
import ch.qos.logback.core.encoder.JsonEscapeUtil;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.util.Iterator;
import org.slf4j.LoggerFactory;

/**
 * Formats a program's log as JSON, with one object per line, for log collectors. An object has
 * {@code time} (UTC, with milliseconds), {@code level}, {@code program}, {@code thread}, {@code
 * message}, and {@code exception} if there is one.
 */
public final class JsonLines extends EncoderBase<ILoggingEvent> {
  private static final DateTimeFormatter TIME_FORMAT =
      new DateTimeFormatterBuilder().appendInstant(3).toFormatter();

  private final String program;

  JsonLines(String program) {
    this.program = program;
  }

  /** Switches this process's log to JSON, starting with the next line. */
  public static void begin(String program) {
    if (!(LoggerFactory.getILoggerFactory() instanceof LoggerContext context)) {
      return; // Duplog runs within another program that has its own logging
    }
    JsonLines encoder = new JsonLines(program);
    encoder.setContext(context);
    encoder.start();
    Iterator<Appender<ILoggingEvent>> appenders =
        context.getLogger(Logger.ROOT_LOGGER_NAME).iteratorForAppenders();
    while (appenders.hasNext()) {
      if (appenders.next() instanceof OutputStreamAppender<ILoggingEvent> appender) {
        appender.setEncoder(encoder);
      }
    }
  }

  @Override
  public byte[] headerBytes() {
    return new byte[0];
  }

  @Override
  public byte[] footerBytes() {
    return new byte[0];
  }

  @Override
  public byte[] encode(ILoggingEvent event) {
    StringBuilder line = new StringBuilder(256);
    append(line, "{\"time\":", TIME_FORMAT.format(Instant.ofEpochMilli(event.getTimeStamp())));
    append(line, ",\"level\":", event.getLevel().toString());
    append(line, ",\"program\":", program);
    append(line, ",\"thread\":", event.getThreadName());
    append(line, ",\"message\":", event.getFormattedMessage());
    IThrowableProxy failure = event.getThrowableProxy();
    if (failure != null) {
      append(line, ",\"exception\":", ThrowableProxyUtil.asString(failure));
    }
    return line.append("}\n").toString().getBytes(UTF_8);
  }

  private static void append(StringBuilder line, String name, String value) {
    // Logback escapes each slash, which JSON does not require and log searches do not expect.
    String escaped = JsonEscapeUtil.jsonEscapeString(value).replace("\\/", "/");
    line.append(name).append('"').append(escaped.replace("\177", "\\u007f")).append('"');
  }
}
