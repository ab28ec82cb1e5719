package io.duplog.cli;

import io.duplog.process.Signals;
import io.duplog.status.StateReader;
import io.duplog.status.StatusException;
import io.duplog.status.StatusText;
import io.duplog.status.TopFrame;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * The command {@code duplog top}: shows a running bridge in the terminal, redrawn every second,
 * until SIGINT.
 */
@Command(
    name = "top",
    description = "Watch a running bridge in the terminal; Ctrl-C ends it.",
    exitCodeListHeading = "Exit status:%n",
    exitCodeList = {"0:it was ended", "1:no bridge answers"},
    footerHeading = "Examples:%n",
    footer = {"  duplog top", "  duplog top --url https://bridge-2:8514 --ca ca.pem"})
final class TopCommand implements Callable<Integer> {
  /** Escape sequences that hide the cursor, turn off line wrapping, and clear the screen. */
  private static final String BEGIN = "\033[?25l\033[?7l\033[2J";

  private static final String END = "\033[?7h\033[?25h";
  private static final String HOME = "\033[H";
  private static final String REST_OF_LINE = "\033[K";
  private static final String REST_OF_SCREEN = "\033[J";

  @Mixin private PageOptions page = new PageOptions();

  @Option(
      names = "--once",
      description = "Print one frame and end. This is the default if the output is not a terminal.")
  private boolean once;

  @Spec private CommandSpec spec = CommandSpec.create();

  private final CountDownLatch ending = new CountDownLatch(1);

  @Override
  public Integer call() throws StatusException, InterruptedException {
    StateReader reader = page.reader();
    if (once || !isTerminal()) {
      return printOnce(reader);
    }
    Signals.on("INT", ending::countDown);
    Signals.on("TERM", ending::countDown);
    watch(reader);
    return 0;
  }

  /**
   * Whether the output is a terminal. Java 17 has no better test, and later versions have a console
   * in any case.
   */
  private static boolean isTerminal() {
    try {
      String out = Files.readSymbolicLink(Path.of("/proc/self/fd/1")).toString();
      return out.startsWith("/dev/pts/")
          || out.startsWith("/dev/tty")
          || out.equals("/dev/console");
    } catch (IOException | UnsupportedOperationException e) {
      return false;
    }
  }

  /** Prints one frame from two documents read a second apart, because rates are differences. */
  private int printOnce(StateReader reader) throws StatusException, InterruptedException {
    StatusText before = StatusText.at(reader.read());
    waitASecond();
    StatusText now = StatusText.at(reader.read());
    new TopFrame(before, now).lines().forEach(spec.commandLine().getOut()::println);
    return 0;
  }

  private void watch(StateReader reader) throws InterruptedException {
    PrintWriter out = spec.commandLine().getOut();
    out.print(BEGIN);
    StatusText before = null;
    do {
      StatusText now = null;
      List<String> lines;
      try {
        now = StatusText.at(reader.read());
        lines = new TopFrame(before == null ? now : before, now).lines();
      } catch (StatusException e) {
        lines = List.of(String.valueOf(e.getMessage()), "asking again every second");
      }
      out.print(frame(lines));
      out.flush();
      before = now;
    } while (!waitASecond());
    out.println(END);
  }

  /**
   * Returns the text that draws a frame over the last one, without clearing it first, because that
   * would flicker.
   */
  private static String frame(List<String> lines) {
    StringBuilder text = new StringBuilder(HOME);
    lines.forEach(line -> text.append(line).append(REST_OF_LINE).append('\n'));
    return text.append(REST_OF_SCREEN).toString();
  }

  /** Waits for at most a second; returns whether a signal has asked the command to end. */
  private boolean waitASecond() throws InterruptedException {
    return ending.await(1, TimeUnit.SECONDS);
  }
}
