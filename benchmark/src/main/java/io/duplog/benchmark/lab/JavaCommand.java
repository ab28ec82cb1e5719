package io.duplog.benchmark.lab;

import java.util.List;
import java.util.stream.Stream;

/** How the lab starts every Java program: one place for the options that all of them have. */
final class JavaCommand {
  /**
   * Compilers come first where the system lets them. Half a dozen programs that start together on
   * few cores otherwise compile for minutes, each at the price of the load; what they compile, and
   * what it costs once compiled, stays the same. Root alone may raise a thread's priority.
   */
  private static final List<String> COMPILERS_FIRST =
      "root".equals(System.getProperty("user.name"))
          ? List.of("-XX:ThreadPriorityPolicy=1", "-XX:CompilerThreadPriority=-10")
          : List.of();

  private JavaCommand() {}

  /** The java that runs this program, with these arguments after its options. */
  static List<String> of(int heapMegabytes, LabDirectory directory, List<String> arguments) {
    return Stream.of(
            List.of(
                Programs.java().toString(),
                "-Xmx" + heapMegabytes + "m",
                "-XX:+UseSerialGC",
                "-XX:-UsePerfData",
                "-Djava.io.tmpdir=" + directory.temporary()),
            COMPILERS_FIRST,
            arguments)
        .flatMap(List::stream)
        .toList();
  }
}
