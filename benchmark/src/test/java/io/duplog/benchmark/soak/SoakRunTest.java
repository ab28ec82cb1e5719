package io.duplog.benchmark.soak;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.base.Splitter;
import io.duplog.rig.LabException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests that the command {@code soak} alternates two builds fairly, resumes an interrupted series,
 * and counts lost messages. The scenario is a script that writes results at once.
 */
class SoakRunTest {
  /**
   * Script that takes the options of a scenario and writes the JSON of one, as fast as a shell can.
   * The "jar" of the shim has its rate, and the number of the run that loses a message.
   */
  private static final String SCRIPT =
      """
      [ "$1" = broken ] && { echo "no such server"; exit 7; }
      [ "$1" = mute ] && exit 0
      while [ $# -gt 0 ]; do
        case "$1" in
          --shim-jar) shim=$2 ;;
          --bridge-jar) bridge=$2 ;;
          --json) json=$2 ;;
          --out) out=$2 ;;
        esac
        shift
      done
      [ -f "$bridge" ] && [ -d "$out" ] || exit 5
      n=$(($(cat "$shim.runs" 2>/dev/null || echo 0) + 1))
      echo $n > "$shim.runs"
      set -- $(cat "$shim")
      lost=0
      [ $n = $2 ] && lost=1
      cat > "$json" <<END
      {"scenario": "fake", "runs": [{"variant": "only", "sent": 1000, "lost": $lost,
       "rate": $(($1 + n % 3)), "cpu_us_per_message": {"shim": 2.5, "bridge": 7.5}}]}
      END
      [ $lost = 0 ]
      """;

  private static final int RUNS = 8;

  @TempDir private Path folder;
  private final List<String> progress = new ArrayList<>();

  private Scenario scenario(boolean resumed, String argument) throws Exception {
    Path script = Files.writeString(folder.resolve("scenario.sh"), SCRIPT);
    return new Scenario(
        List.of("sh", script.toString()), List.of(argument), folder.resolve("runs"), resumed);
  }

  private Build build(String name, int rate, int lossRun) throws Exception {
    Path jars = Files.createDirectories(folder.resolve(name));
    Files.writeString(jars.resolve(Build.SHIM), rate + " " + lossRun);
    Files.writeString(jars.resolve(Build.BRIDGE), "bridge");
    return Build.in(jars, name, name);
  }

  private SoakOutcomes soak(boolean resumed, Build a, Build b, String argument) throws Exception {
    SoakPlan plan = new SoakPlan(List.of("any"), a, b, RUNS);
    return new SoakRun(scenario(resumed, argument), plan, progress::add).run();
  }

  @Test
  void order_anyNumberOfRuns_isAbbaOrBaabWithEqualShares() {
    String order = SoakRun.order(40).stream().map(Side::name).collect(Collectors.joining());
    assertThat(Splitter.fixedLength(4).splitToStream(order).distinct())
        .containsExactlyInAnyOrder("ABBA", "BAAB");
    for (int runs : List.of(0, 1, 2, 3, 7, 10)) {
      List<Side> sides = SoakRun.order(runs);
      assertThat(sides).hasSize(2 * runs);
      assertThat(Collections.frequency(sides, Side.A)).isEqualTo(runs);
    }
  }

  @Test
  void run_buildTenPercentSlower_reportsWorseRate() throws Exception {
    SoakOutcomes outcomes = soak(false, build("a", 20_000, 0), build("b", 18_000, 0), "any");

    assertThat(outcomes.comparisons())
        .allSatisfy(each -> assertThat(each.a()).hasSize(RUNS))
        .extracting(each -> each.figure() + " " + each.verdict())
        .containsExactly("rate worse", "cpu total ", "cpu shim ", "cpu bridge ");
    assertThat(outcomes.traffic(Side.B)).isEqualTo(new SoakOutcomes.Traffic((1 + RUNS) * 1000, 0));
    assertThat(progress)
        .extracting(line -> line.replaceFirst("(warm-up|run-\\d\\d)-(.).*", "$1$2"))
        .startsWith("warm-upA", "warm-upB", "run-01" + SoakRun.order(RUNS).get(0))
        .hasSize(2 + 2 * RUNS);
  }

  @Test
  void run_resumed_makesOnlyMissingRuns() throws Exception {
    Build a = build("a", 20_000, 0);
    Build b = build("b", 18_000, 0);
    soak(false, a, b, "any");
    Side last = SoakRun.order(RUNS).get(2 * RUNS - 1);
    Path result = folder.resolve("runs/run-%02d-%s/result.json".formatted(2 * RUNS, last));
    Files.writeString(result, "{");

    assertThat(soak(true, a, b, "any").comparisons()).hasSize(4);

    Build repeatedBuild = last == Side.A ? a : b;
    Build otherBuild = last == Side.A ? b : a;
    assertThat(Path.of(repeatedBuild.shim() + ".runs")).hasContent(Integer.toString(RUNS + 2));
    assertThat(Path.of(otherBuild.shim() + ".runs")).hasContent(Integer.toString(RUNS + 1));
  }

  @Test
  void begin_resumedWithAnotherPlan_fails() throws Exception {
    Build build = build("a", 5, 0);
    SoakPlan plan = new SoakPlan(List.of("any"), build, build, RUNS);
    Scenario resumed = scenario(true, "any");
    assertThatThrownBy(() -> resumed.begin(plan)).hasMessageEndingWith("nothing to resume");

    scenario(false, "any").begin(plan);

    resumed.begin(plan);
    assertThatThrownBy(() -> resumed.begin(new SoakPlan(List.of("any"), build, build, RUNS + 1)))
        .isInstanceOf(LabException.class);
  }

  @Test
  void run_messagesLost_continuesAndCountsLossesIncludingWarmUp() throws Exception {
    SoakOutcomes outcomes = soak(false, build("a", 5, 4), build("b", 5, 1), "any");

    assertThat(outcomes.traffic(Side.A).lost()).isEqualTo(1);
    assertThat(outcomes.traffic(Side.B).lost()).isEqualTo(1);
    assertThat(progress).filteredOn(line -> line.contains("LOST OR ALTERED: 1")).hasSize(2);
  }

  @Test
  void run_scenarioFailsOrWritesNoResults_failsWithItsOutput() throws Exception {
    Build build = build("a", 5, 0);
    assertThatThrownBy(() -> soak(false, build, build, "broken"))
        .isInstanceOf(LabException.class)
        .hasMessageContaining("has ended with status 7")
        .hasMessageContaining("no such server");
    assertThatThrownBy(() -> soak(false, build, build, "mute"))
        .isInstanceOf(LabException.class)
        .hasMessageContaining("result.json does not exist");
  }

  @Test
  void ofThisProgram_run_startsThisProgram() throws Exception {
    Scenario scenario = Scenario.ofThisProgram(List.of("simulate"), folder.resolve("runs"), false);
    // This command is not a scenario. It rejects a scenario's options, and its usage text
    // identifies it.
    assertThatThrownBy(() -> scenario.run("one", build("a", 5, 0)))
        .hasMessageContaining("has ended with status 2");
    assertThat(Files.readString(folder.resolve("runs/one/output.log")))
        .contains("--shim-jar", "Usage: duplog-benchmark simulate");
  }
}
