package io.duplog.benchmark.soak;

import java.nio.file.Path;
import java.util.List;

/** Runs programs such as git and Maven. */
@FunctionalInterface
interface Commands {
  /**
   * Returns when it has ended.
   *
   * @param folder its working directory
   * @return what it wrote, its errors included
   * @throws SoakException if it can't be started, or ends with another status than 0; the message
   *     ends with what it wrote last
   */
  String run(Path folder, List<String> command) throws SoakException, InterruptedException;
}
