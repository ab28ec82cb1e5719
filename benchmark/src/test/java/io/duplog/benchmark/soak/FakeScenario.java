package io.duplog.benchmark.soak;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;

/**
 * A program that takes the options of a scenario and writes the JSON of one, as fast as a shell
 * does. What its next run brings stands in the next line of the "jar" of the shim: the rate, and
 * how many messages it lost.
 */
final class FakeScenario {
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
      set -- $(sed -n "${n}p" "$shim")
      cat > "$json" <<END
      {"scenario": "fake", "runs": [{"variant": "only", "sent": 1000, "lost": $2, "rate": $1,
       "cpu_us_per_message": {"shim": 2.5, "bridge": 7.5}}]}
      END
      [ $2 = 0 ]
      """;

  private FakeScenario() {}

  static Scenario in(Path folder, boolean resumed, String... arguments) throws IOException {
    Path script = Files.writeString(folder.resolve("scenario.sh"), SCRIPT);
    return new Scenario(
        List.of("sh", script.toString()), List.of(arguments), folder.resolve("runs"), resumed);
  }

  /** A build whose runs have these rates; the run with that index loses a message. */
  static Build build(Path folder, double[] rates, int losesAt) throws IOException {
    Files.createDirectories(folder);
    List<String> lines = new ArrayList<>();
    for (double rate : rates) {
      lines.add(rate + (lines.size() == losesAt ? " 1" : " 0"));
    }
    Files.writeString(
        folder.resolve(Build.SHIM), lines.stream().collect(Collectors.joining("\n", "", "\n")));
    Files.writeString(folder.resolve(Build.BRIDGE), "bridge");
    return Build.in(folder, folder.getFileName().toString(), folder.toString());
  }

  /** A build that loses nothing. */
  static Build build(Path folder, long seed, double rate) throws IOException {
    Random random = new Random(seed);
    double[] rates =
        DoubleStream.generate(() -> rate * (1 + 0.03 * random.nextGaussian())).limit(20).toArray();
    return build(folder, rates, -1);
  }
}
