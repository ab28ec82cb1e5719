package io.duplog.benchmark.lab;

import java.nio.file.Path;

/** A program that rsyslog starts and writes its messages to. */
@FunctionalInterface
interface OmprogProgram {

  /**
   * The parameters of rsyslog's omprog that start it and say how to speak with it.
   *
   * @param output where its stderr goes
   */
  String parameters(Path output);
}
