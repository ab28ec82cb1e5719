package io.duplog.rig;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class PortsTest {
  private static final int SEVERAL = 30;

  /** What another process runs: prints its ports, and waits to be told to end. */
  static final class Elsewhere {
    public static void main(String[] arguments) throws Exception {
      System.out.println(several());
      System.in.read();
    }
  }

  private static List<Integer> several() throws LabException {
    Ports ports = new Ports();
    List<Integer> several = new ArrayList<>();
    for (int i = 0; i < SEVERAL; i++) {
      several.add(ports.next());
    }
    return several;
  }

  @Test
  void ports_ofSeveralLabs_differ_thoughNothingListensYet() throws LabException {
    Set<Integer> all = new HashSet<>(several());
    all.addAll(several());

    assertThat(all).hasSize(2 * SEVERAL).allMatch(port -> port > 18_000 && port < 32_000);
  }

  @Test
  void ports_ofAnotherProcess_areOfAnotherBlock() throws Exception {
    Process elsewhere =
        new ProcessBuilder(
                Programs.java().toString(),
                "-cp",
                System.getProperty("java.class.path"),
                Elsewhere.class.getName())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    try {
      String theirs = elsewhere.inputReader(UTF_8).readLine();
      int block = Integer.parseInt(theirs.substring(1, theirs.indexOf(','))) / 200;

      assertThat(several()).noneMatch(port -> port / 200 == block);
    } finally {
      elsewhere.destroyForcibly();
    }
  }
}
