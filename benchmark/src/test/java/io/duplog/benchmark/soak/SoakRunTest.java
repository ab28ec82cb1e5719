package io.duplog.benchmark.soak;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** With processes, though of a scenario that only says that it ran. */
class SoakRunTest {
  private static final int RUNS = 8;

  @TempDir private Path folder;
  private final List<String> progress = new ArrayList<>();

  private Samples soak(Build a, Build b, String... arguments) throws Exception {
    Scenario scenario = FakeScenario.in(folder, arguments);
    return new SoakRun(scenario::run, Map.of(Side.A, a, Side.B, b), progress::add).run(1, RUNS, 5);
  }

  private Build build(String name, double rate) throws Exception {
    return FakeScenario.build(folder.resolve(name), name.hashCode(), rate);
  }

  @Test
  void slowdownOfATenth_isFound_byWhatTheProcessesWrote() throws Exception {
    Samples samples = soak(build("a", 20_000), build("b", 18_000), "any", "--seconds", "1");

    List<Verdict> verdicts = samples.verdicts();
    assertThat(verdicts)
        .extracting(verdict -> verdict.figure().name())
        .containsExactly("rate", "cpu total", "cpu bridge", "cpu shim");
    assertThat(verdicts).filteredOn(Verdict::isChange).containsExactly(verdicts.get(0));
    assertThat(samples.lost()).isZero();
  }

  @Test
  void identicalBuilds_areNotReported() throws Exception {
    assertThat(soak(build("a", 20_000), build("b", 20_000), "any").verdicts())
        .noneMatch(Verdict::isChange);
  }

  @Test
  void runs_areInTheirOrder_withALineEach_andWarmUpsDoNotCount() throws Exception {
    Samples samples = soak(build("a", 20_000), build("b", 20_000), "any");

    assertThat(progress).hasSize(2 + 2 * RUNS);
    assertThat(progress.subList(0, 2)).allMatch(line -> line.startsWith("warm-up-0"));
    assertThat(progress.subList(2, progress.size()))
        .extracting(line -> line.replaceFirst("run-\\d\\d-(.).*", "$1"))
        .isEqualTo(RunOrder.of(RUNS, 5).stream().map(Side::name).toList());
    assertThat(samples.of(Side.A, Figure.rate(""))).hasSize(RUNS);
    assertThat(samples.sent(Side.B)).isEqualTo(RUNS * 1000);
    assertThat(folder.resolve("runs/run-01-" + RunOrder.of(RUNS, 5).get(0) + "/result.json"))
        .exists();
  }

  @Test
  void resumedSoak_makesOnlyTheRunsThatAreMissing() throws Exception {
    Build a = build("a", 20_000);
    Build b = build("b", 18_000);
    List<Verdict> before = soak(a, b, "any").verdicts();
    String last = "run-%02d-%s".formatted(2 * RUNS, RunOrder.of(RUNS, 5).get(2 * RUNS - 1));
    Files.writeString(folder.resolve("runs").resolve(last).resolve("result.json"), "{");
    Scenario resumed = FakeScenario.in(folder, true, "any");

    Samples after =
        new SoakRun(resumed::run, Map.of(Side.A, a, Side.B, b), progress::add).run(1, RUNS, 5);

    Side of = RunOrder.of(RUNS, 5).get(2 * RUNS - 1);
    Build again = of == Side.A ? a : b;
    assertThat(Files.readString(Path.of(again.shim() + ".runs"))).isEqualTo(RUNS + 2 + "\n");
    assertThat(Files.readString(Path.of((of == Side.A ? b : a).shim() + ".runs")))
        .isEqualTo(RUNS + 1 + "\n");
    assertThat(after.verdicts()).hasSameSizeAs(before);
  }

  @Test
  void runsOfAnotherPlan_areNotResumed() throws Exception {
    Build build = build("a", 5);
    RunsFolder resumed = new RunsFolder(folder.resolve("runs"), true);
    assertThatThrownBy(() -> resumed.begin(plan(build, 5)))
        .hasMessageEndingWith("nothing to resume");

    new RunsFolder(folder.resolve("runs"), false).begin(plan(build, 5));

    resumed.begin(plan(build, 5));
    assertThatThrownBy(() -> resumed.begin(plan(build, 6))).isInstanceOf(SoakException.class);
  }

  private static SoakPlan plan(Build build, long seed) {
    return new SoakPlan(
        List.of("any"),
        Map.of(Side.A, build, Side.B, build),
        Map.of(Side.A, "aaa", Side.B, "aaa"),
        1,
        RUNS,
        seed);
  }

  @Test
  void loss_doesNotEndTheSoak_andIsCounted_alsoInAWarmUp() throws Exception {
    double[] rates = new double[20];
    Arrays.fill(rates, 5);
    Build inARun = FakeScenario.build(folder.resolve("a"), rates, 3);
    Build inAWarmUp = FakeScenario.build(folder.resolve("b"), rates, 0);

    Samples samples = soak(inARun, inAWarmUp, "any");

    assertThat(samples.lost(Side.A)).isEqualTo(1);
    assertThat(samples.lost(Side.B)).isEqualTo(1);
    assertThat(progress).filteredOn(line -> line.contains("LOST OR ALTERED: 1")).hasSize(2);
  }

  @Test
  void scenarioThatFails_endsTheSoak_andItsWordsAreShown() throws Exception {
    assertThatThrownBy(() -> soak(build("a", 5), build("b", 5), "broken"))
        .isInstanceOf(SoakException.class)
        .hasMessageContaining("has ended with status 7")
        .hasMessageContaining("no such server");
  }

  @Test
  void scenarioThatWritesNothing_endsTheSoak() throws Exception {
    assertThatThrownBy(() -> soak(build("a", 5), build("b", 5), "mute"))
        .isInstanceOf(SoakException.class)
        .hasMessageContaining("result.json can't be read");
  }

  @Test
  void thisProgram_isStartedAsItself() throws Exception {
    Build build = build("a", 5);
    Scenario scenario =
        Scenario.ofThisProgram(List.of("fuzz"), new RunsFolder(folder.resolve("runs"), false));
    // No scenario: it refuses what a scenario takes, and so shows who it is.
    assertThatThrownBy(() -> scenario.run("one", build))
        .hasMessageContaining("has ended with status 2")
        .hasMessageContaining("Usage: duplog-benchmark fuzz");
    assertThat(Files.readString(folder.resolve("runs/one/output.log"))).contains("--shim-jar");
  }

  @Test
  void figuresThatARunLacks_areNotCompared_norThoseThatAreZeroThroughout() throws Exception {
    Samples samples = new Samples();
    Figure redis = Figure.cpu("", "redis");
    Figure sink = Figure.cpu("", "sink");
    for (Side side : List.of(Side.A, Side.B, Side.B)) {
      samples.add(side, new Outcome(Map.of(Figure.rate(""), 5.0, redis, 0.0, sink, 1.0), 1, 0));
    }
    samples.add(Side.A, new Outcome(Map.of(Figure.rate(""), 5.0, redis, 0.0), 1, 0));

    assertThat(samples.verdicts())
        .extracting(verdict -> verdict.figure().name())
        .containsExactly("rate");
  }

  @Test
  void nothingToCompare_isSaidSo() {
    Samples samples = new Samples();
    samples.add(Side.A, new Outcome(Map.of(), 1, 0));
    assertThatThrownBy(samples::verdicts).hasMessageContaining("nothing to compare");
  }
}
