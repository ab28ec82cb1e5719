package io.duplog.benchmark.soak;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** With processes, though of a scenario that only says that it ran. */
class SoakRunTest {
  private static final int RUNS = 8;
  private static final int SEED = 5;

  @TempDir private Path folder;
  private final List<String> progress = new ArrayList<>();

  private SoakOutcomes soak(boolean resumed, Build a, Build b, String argument) throws Exception {
    Scenario scenario = FakeScenario.in(folder, resumed, argument);
    return new SoakRun(scenario, plan(a, b, SEED), progress::add).run();
  }

  private static SoakPlan plan(Build a, Build b, long seed) {
    return new SoakPlan(List.of("any"), a, b, 1, RUNS, seed);
  }

  private Build build(String name, double rate) throws Exception {
    return FakeScenario.build(folder.resolve(name), name.hashCode(), rate);
  }

  @Test
  void order_isOfMirroredFours_andEitherBuildMayBegin() {
    Set<String> fours = new HashSet<>();
    for (long seed = 0; seed < 20; seed++) {
      String order = SoakRun.order(10, seed).stream().map(Side::name).collect(Collectors.joining());
      for (int i = 0; i < order.length(); i += 4) {
        fours.add(order.substring(i, i + 4));
      }
    }
    assertThat(fours).containsExactlyInAnyOrder("ABBA", "BAAB");
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3, 7, 10})
  void order_hasEachBuildAsOften_andIsThatOfItsSeed(int runs) {
    List<Side> order = SoakRun.order(runs, 3);
    assertThat(order).hasSize(2 * runs).isEqualTo(SoakRun.order(runs, 3));
    assertThat(Collections.frequency(order, Side.A)).isEqualTo(runs);
  }

  @Test
  void slowdownOfATenth_isFound_byWhatTheProcessesWrote() throws Exception {
    SoakOutcomes outcomes = soak(false, build("a", 20_000), build("b", 18_000), "any");

    assertThat(outcomes.comparisons())
        .extracting(each -> each.figure().name() + " " + each.words())
        .containsExactly("rate worse", "cpu total ", "cpu bridge ", "cpu shim ");
    assertThat(outcomes.lost(Side.A) + outcomes.lost(Side.B)).isZero();
  }

  @Test
  void runs_areInTheirOrder_withALineEach_andWarmUpsDoNotCount() throws Exception {
    SoakOutcomes outcomes = soak(false, build("a", 20_000), build("b", 20_000), "any");

    assertThat(outcomes.comparisons()).noneMatch(BuildComparison::isChange);
    assertThat(progress).hasSize(2 + 2 * RUNS);
    assertThat(progress.subList(0, 2)).allMatch(line -> line.startsWith("warm-up-0"));
    assertThat(progress.subList(2, progress.size()))
        .extracting(line -> line.replaceFirst("run-\\d\\d-(.).*", "$1"))
        .isEqualTo(SoakRun.order(RUNS, SEED).stream().map(Side::name).toList());
    assertThat(outcomes.samples(Side.A, Figure.rate(""))).hasSize(RUNS);
    assertThat(outcomes.sent(Side.B)).isEqualTo(RUNS * 1000);
  }

  @Test
  void resumedSoak_makesOnlyTheRunsThatAreMissing() throws Exception {
    Build a = build("a", 20_000);
    Build b = build("b", 18_000);
    soak(false, a, b, "any");
    Side last = SoakRun.order(RUNS, SEED).get(2 * RUNS - 1);
    Path result = folder.resolve("runs/run-%02d-%s/result.json".formatted(2 * RUNS, last));
    Files.writeString(result, "{");

    SoakOutcomes after = soak(true, a, b, "any");

    Build again = last == Side.A ? a : b;
    Build other = last == Side.A ? b : a;
    assertThat(Path.of(again.shim() + ".runs")).hasContent(Integer.toString(RUNS + 2));
    assertThat(Path.of(other.shim() + ".runs")).hasContent(Integer.toString(RUNS + 1));
    assertThat(after.comparisons()).hasSize(4);
  }

  @Test
  void runsOfAnotherPlan_areNotResumed() throws Exception {
    Build build = build("a", 5);
    Scenario resumed = FakeScenario.in(folder, true, "any");
    assertThatThrownBy(() -> resumed.begin(plan(build, build, 5)))
        .hasMessageEndingWith("nothing to resume");

    FakeScenario.in(folder, false, "any").begin(plan(build, build, 5));

    resumed.begin(plan(build, build, 5));
    assertThatThrownBy(() -> resumed.begin(plan(build, build, 6)))
        .isInstanceOf(SoakException.class);
  }

  @Test
  void loss_doesNotEndTheSoak_andIsCounted_alsoInAWarmUp() throws Exception {
    double[] rates = new double[20];
    Arrays.fill(rates, 5);
    Build inARun = FakeScenario.build(folder.resolve("a"), rates, 3);
    Build inAWarmUp = FakeScenario.build(folder.resolve("b"), rates, 0);

    SoakOutcomes outcomes = soak(false, inARun, inAWarmUp, "any");

    assertThat(outcomes.lost(Side.A)).isEqualTo(1);
    assertThat(outcomes.lost(Side.B)).isEqualTo(1);
    assertThat(progress).filteredOn(line -> line.contains("LOST OR ALTERED: 1")).hasSize(2);
  }

  @Test
  void scenarioThatFails_orWritesNothing_endsTheSoak_andItsWordsAreShown() throws Exception {
    Build build = build("a", 5);
    assertThatThrownBy(() -> soak(false, build, build, "broken"))
        .isInstanceOf(SoakException.class)
        .hasMessageContaining("has ended with status 7")
        .hasMessageContaining("no such server");
    assertThatThrownBy(() -> soak(false, build, build, "mute"))
        .isInstanceOf(SoakException.class)
        .hasMessageContaining("result.json is not there");
  }

  @Test
  void thisProgram_isStartedAsItself() throws Exception {
    Scenario scenario = Scenario.ofThisProgram(List.of("fuzz"), folder.resolve("runs"), false);
    // No scenario: it refuses what a scenario takes, and so shows who it is.
    assertThatThrownBy(() -> scenario.run("one", build("a", 5)))
        .hasMessageContaining("has ended with status 2")
        .hasMessageContaining("Usage: duplog-benchmark fuzz");
    assertThat(Files.readString(folder.resolve("runs/one/output.log"))).contains("--shim-jar");
  }
}
