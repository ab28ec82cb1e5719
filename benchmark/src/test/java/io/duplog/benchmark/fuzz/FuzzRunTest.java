package io.duplog.benchmark.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Tests that no reader of untrusted bytes fails on random input, and that the fuzz test would
 * detect one that does. The system property {@code fuzz.inputs} sets another number of inputs.
 */
@Tag("slow")
class FuzzRunTest {
  private static final long SEED = 20261121;
  private static final long INPUTS = Long.getLong("fuzz.inputs", 30_000);

  /** Reader with defects. */
  private record FaultyReader(int defectAt, int bytes) implements Target {
    @Override
    public List<byte[]> samples() {
      return List.of("a sound input".getBytes(StandardCharsets.US_ASCII));
    }

    @Override
    public boolean read(byte[] input) {
      if (input.length > 0 && (input[0] & 0xff) == defectAt) {
        throw new IndexOutOfBoundsException("careless");
      }
      return new byte[bytes].length == bytes;
    }
  }

  @Test
  void runAll_realReaders_haveNoFinding() throws Exception {
    List<FuzzRun.Result> results = FuzzRun.runAll(SEED, INPUTS);

    assertThat(results).hasSize(3).allSatisfy(result -> assertThat(result.finding()).isNull());
    // An input that is rejected at its first byte tests no later checks. A configuration has hosts
    // in many keys, and most changes make them invalid.
    assertThat(results)
        .allSatisfy(
            result -> assertThat(result.acceptedInputs()).isGreaterThan(result.inputs() / 40));
  }

  @Test
  void run_undocumentedException_isFindingWithInput() throws Exception {
    FuzzRun.Result result =
        new FuzzRun("careless", new FaultyReader(0xff, 1), SEED, 1_000_000).run();

    assertThat(result.finding()).contains("IndexOutOfBoundsException: careless", "in Base64: /");
  }

  @Test
  void run_tooMuchMemory_isFinding() throws Exception {
    FuzzRun.Result result = new FuzzRun("careless", new FaultyReader(-1, 17 << 20), SEED, 10).run();

    assertThat(result.finding()).contains("bytes of memory");
  }

  @Test
  void next_sameSeed_givesSameInputs() {
    Mutator first = new Mutator(SEED, new WireTarget().samples());
    Mutator second = new Mutator(SEED, new WireTarget().samples());
    for (int i = 0; i < 1000; i++) {
      assertThat(first.next()).isEqualTo(second.next());
    }
  }
}
