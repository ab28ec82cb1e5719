package io.duplog.benchmark.scenario;

/** Gets the lines that tell whoever waits how far it is. */
@FunctionalInterface
interface Progress {
  void say(String line);
}
