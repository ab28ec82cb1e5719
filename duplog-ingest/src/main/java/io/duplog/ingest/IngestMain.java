package io.duplog.ingest;

import io.duplog.observe.Version;
import io.duplog.process.ProgramLog;
import java.io.PrintWriter;
import java.nio.charset.Charset;
import java.util.Locale;
import org.slf4j.LoggerFactory;
import picocli.CommandLine;

/** Starts the shim's program {@code duplog-ingest.jar}. */
public final class IngestMain {
  private IngestMain() {}

  public static void main(String[] args) {
    Locale.setDefault(Locale.ROOT); // bridges parse numbers that the shim writes
    ProgramLog.begin("duplog-ingest " + ProgramLog.TEXT + "%nopexception");
    // rsyslog waits for the shim's first line; to save time, logging starts while the configuration
    // is read.
    Thread logging = new Thread(LoggerFactory::getILoggerFactory, "logging");
    logging.setDaemon(true);
    logging.start();
    CommandLine commandLine = commandLine();
    // stdout is used for omprog's protocol, so even the help text goes to stderr.
    commandLine.setOut(new PrintWriter(System.err, true, Charset.defaultCharset()));
    System.exit(commandLine.execute(args));
  }

  public static CommandLine commandLine() {
    CommandLine commandLine = new CommandLine(new IngestCommand());
    commandLine.getCommandSpec().version("duplog-ingest " + Version.line());
    return commandLine;
  }
}
