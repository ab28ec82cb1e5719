package io.duplog.benchmark.scenario;

import io.duplog.benchmark.load.NumberedLines;
import io.duplog.benchmark.measure.SerialTally;
import java.util.Map;

/**
 * What a run sends.
 *
 * @param length bytes of each, without the end of a line
 * @param tally counts them in the sink; of this run alone
 * @param facts for the report
 */
record Messages(int length, SerialTally tally, Map<String, String> facts) {
  static Messages numbered(NumberedLines lines) {
    return new Messages(
        lines.length(),
        new SerialTally(lines),
        Map.of("message", lines.length() + " bytes", "seed", Long.toString(lines.seed())));
  }
}
