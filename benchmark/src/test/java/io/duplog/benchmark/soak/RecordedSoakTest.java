package io.duplog.benchmark.soak;

import static org.assertj.core.api.Assertions.assertThat;

import io.duplog.benchmark.report.JsonTree;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * On what two real soaks wrote, of ten runs a build of {@code duplog --only sustained}, on a
 * machine whose host took up to half of its processors' time.
 */
class RecordedSoakTest {

  @Test
  void identicalBuilds_areNotReported() throws Exception {
    assertThat(verdicts("identical.json")).noneMatch(Verdict::isChange);
  }

  /** The bridge computed each digest twice, which is some 10 % of the whole. */
  @Test
  void slowdownOfATenth_isFound_inTheBridge_asFarAsTheMachineIsLeftOut() throws Exception {
    assertThat(verdicts("slower.json"))
        .filteredOn(Verdict::isChange)
        .extracting(verdict -> verdict.figure().name() + " is " + verdict.words())
        .containsExactly("cpu bridge, relative is worse, erratic");
  }

  private static List<Verdict> verdicts(String name) throws Exception {
    URI resource = RecordedSoakTest.class.getResource(name).toURI();
    Map<?, ?> soak = (Map<?, ?>) JsonTree.read(Path.of(resource));
    Samples samples = new Samples();
    for (Side side : Side.values()) {
      for (Map<Figure, Double> run : runs((List<?>) soak.get("figures"), side)) {
        samples.add(side, new Outcome(run, 1, 0));
      }
    }
    return samples.verdicts();
  }

  private static List<Map<Figure, Double>> runs(List<?> figures, Side side) {
    List<Map<Figure, Double>> runs = new ArrayList<>();
    for (Object each : figures) {
      Map<?, ?> figure = (Map<?, ?>) each;
      Figure.Better better =
          figure.get("figure").equals("rate") ? Figure.Better.MORE : Figure.Better.LESS;
      Figure key =
          new Figure("", (String) figure.get("figure"), (String) figure.get("unit"), better);
      List<?> samples =
          (List<?>) ((Map<?, ?>) figure.get(side.name().toLowerCase(Locale.ROOT))).get("samples");
      for (int i = 0; i < samples.size(); i++) {
        if (runs.size() == i) {
          runs.add(new LinkedHashMap<>());
        }
        runs.get(i).put(key, (Double) samples.get(i));
      }
    }
    return runs;
  }
}
