package io.duplog.process;

import static java.nio.charset.StandardCharsets.UTF_8;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.spi.Configurator;
import ch.qos.logback.classic.spi.ConfiguratorRank;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.IThrowableProxy;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.Appender;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.OutputStreamAppender;
import ch.qos.logback.core.encoder.EncoderBase;
import ch.qos.logback.core.encoder.JsonEscapeUtil;
import ch.qos.logback.core.spi.ContextAwareBase;
import ch.qos.logback.core.status.NopStatusListener;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/**
 * Configures the log of a program, the bridge or the shim. The log goes to stderr, because stdout
 * carries messages or answers. Its lines are text, or {@link #asJson JSON}. Logback calls this
 * class when a class first asks for a logger. A program that does not {@link #begin} has a {@code
 * logback.xml} of its own, as the benchmark and the tests do.
 *
 * <p>A configuration in code is faster than {@code logback.xml}, which would load 300 more classes.
 */
@ConfiguratorRank(ConfiguratorRank.CUSTOM_HIGH_PRIORITY)
public final class ProgramLog extends ContextAwareBase implements Configurator {
  /**
   * Logback's pattern of a line's text after the time. A line may quote a broker, Redis or Splunk.
   * Control characters in it must not start a new line or steer a terminal.
   */
  public static final String TEXT = "%-5level %replace(%msg){'[\\x00-\\x1f\\x7f-\\x9f]', '?'}%n";

  /** The parts of Duplog that own a connection report what goes wrong on it, in one line. */
  private static final List<String> SILENCED_LIBRARIES =
      List.of("com.rabbitmq", "redis.clients.jedis", "org.eclipse.jetty", "org.apache.kafka");

  private static volatile @Nullable String begun;

  /** Null if the program did not begin. */
  private final @Nullable String pattern;

  /** Called by Logback, which finds this class as a service. */
  public ProgramLog() {
    this(begun);
  }

  ProgramLog(@Nullable String pattern) {
    this.pattern = pattern;
  }

  /**
   * Configures this process's log, which starts when a class first asks for a logger.
   *
   * @param linePattern Logback's pattern of a line after the time; contains {@link #TEXT}
   */
  public static void begin(String linePattern) {
    begun = linePattern;
  }

  /**
   * Switches this process's log to JSON for log collectors, starting with the next line. Each line
   * is an object with {@code time} (UTC, with milliseconds), {@code level}, {@code program}, {@code
   * thread}, {@code message}, and {@code exception} if there is one.
   *
   * @param program the name in {@code program}
   */
  public static void asJson(String program) {
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
  public ExecutionStatus configure(LoggerContext context) {
    if (pattern == null || System.getProperty("logback.configurationFile") != null) {
      return ExecutionStatus.INVOKE_NEXT_IF_ANY;
    }
    // Logback would report its own problems on stdout.
    context.getStatusManager().add(new NopStatusListener());
    PatternLayoutEncoder encoder = new PatternLayoutEncoder();
    encoder.setContext(context);
    encoder.setPattern("%d{yyyy-MM-dd'T'HH:mm:ss.SSSXXX} " + pattern);
    encoder.start();

    ConsoleAppender<ILoggingEvent> appender = new ConsoleAppender<>();
    appender.setContext(context);
    appender.setName("stderr");
    appender.setTarget("System.err");
    appender.setEncoder(encoder);
    appender.start();

    Logger root = context.getLogger(Logger.ROOT_LOGGER_NAME);
    root.setLevel(Level.toLevel(System.getProperty("duplog.log.level"), Level.INFO));
    root.addAppender(appender);
    SILENCED_LIBRARIES.forEach(library -> context.getLogger(library).setLevel(Level.OFF));
    return ExecutionStatus.DO_NOT_INVOKE_NEXT_IF_ANY;
  }

  /** Formats log events as JSON, with one object per line. */
  static final class JsonLines extends EncoderBase<ILoggingEvent> {
    private static final DateTimeFormatter TIME_FORMAT =
        new DateTimeFormatterBuilder().appendInstant(3).toFormatter();

    private final String program;

    JsonLines(String program) {
      this.program = program;
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
}
