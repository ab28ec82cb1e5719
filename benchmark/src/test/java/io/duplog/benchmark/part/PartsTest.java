package io.duplog.benchmark.part;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.io.Resources;
import io.duplog.benchmark.report.Json;
import io.duplog.dedup.Digests;
import io.duplog.wire.MessageBatch;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests that the microbenchmarks of Duplog's parts do the work that they claim to measure, without
 * measuring time. JMH would take minutes, and its times depend on other work on the machine.
 */
class PartsTest {

  @Test
  void benchmarkList_compiled_hasEveryPart() throws Exception {
    assertThat(Resources.toString(PartsTest.class.getResource("/META-INF/BenchmarkList"), UTF_8))
        .contains(
            "BatchDecode_plain",
            "BatchDecode_zstd",
            "EventEncoding_event",
            "MessageDigests_sha256",
            "OmprogReading_read",
            "RuleActions_filter",
            "SenderCounting_count",
            "Verdict_judge");
  }

  @Test
  void decode_plainAndZstd_findsEveryMessage() throws Exception {
    BatchDecode benchmark = new BatchDecode();
    benchmark.bytes = 110;
    benchmark.encode();
    for (MessageBatch batch : List.of(benchmark.plain(), benchmark.zstd())) {
      assertThat(batch.count()).isEqualTo(SampleBatch.MESSAGES);
      assertThat(batch.end(7) - batch.textStart(7)).isEqualTo(110);
    }
  }

  @Test
  void sha256_batch_hasOneDistinctDigestPerMessage() {
    MessageDigests benchmark = new MessageDigests();
    benchmark.bytes = 110;
    benchmark.decode();
    Digests digests = benchmark.sha256();
    assertThat(IntStream.range(0, digests.count()).mapToObj(digests::get))
        .hasSize(SampleBatch.MESSAGES)
        .doesNotHaveDuplicates();
  }

  @Test
  void judge_severalRoundsInMemory_isCorrect() throws Exception {
    Verdict benchmark = new Verdict();
    benchmark.store = "memory";
    benchmark.open();
    for (int i = 0; i < 3; i++) {
      benchmark.judge(); // Throws if a verdict is wrong.
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 100, 1_200})
  void count_manySenders_countsEachSender(int senders) throws Exception {
    SenderCounting benchmark = new SenderCounting();
    benchmark.senders = senders;
    benchmark.prepare();
    for (int sent = 0; sent < senders; sent += SampleBatch.MESSAGES) {
      benchmark.count();
    }
    benchmark.inventory.leave();
    assertThat(benchmark.inventory.size()).isEqualTo(senders);
  }

  @ParameterizedTest
  @CsvSource({"110, one", "800, products"})
  void event_batch_isLongerThanMessages(int bytes, String rules) throws Exception {
    EventEncoding benchmark = new EventEncoding();
    benchmark.bytes = bytes;
    benchmark.rules = rules;
    benchmark.prepare();
    assertThat(benchmark.event()).isBetween(500 * (bytes + 50), 500 * (bytes + 150));
  }

  @ParameterizedTest
  @CsvSource({"none, 0", "metadata, 0", "drop, 0", "drops, 500", "mask, 0"})
  void filter_eachRule_dropsItsMessages(String rules, long dropped) throws Exception {
    RuleActions benchmark = new RuleActions();
    benchmark.rules = rules;
    benchmark.prepare();
    assertThat(benchmark.filter()).isEqualTo(dropped);
  }

  @ParameterizedTest
  @ValueSource(strings = {"confirm", "lines"})
  void read_eachMode_findsEveryMessage(String mode) throws Exception {
    OmprogReading benchmark = new OmprogReading();
    benchmark.bytes = 110;
    benchmark.mode = mode;
    benchmark.prepare();
    assertThat(benchmark.read()).isEqualTo(OmprogReading.MESSAGES);
  }

  @Test
  void markdown_errorUnknown_leavesCellEmpty(@TempDir Path folder) throws Exception {
    List<PartResult> results =
        List.of(
            new PartResult("A.y", Map.of(), 10, null, 0),
            new PartResult("B.x", Map.of("bytes", "800"), 20.04, 1.25, 3));
    PartsReport report = new PartsReport(5, Map.of("build", "1234abcd"), results);

    assertThat(report.markdown())
        .contains(
            "\nbuild: 1234abcd\n",
            "| A.y |  | 10 |  | 0 |\n| B.x | bytes=800 | 20.0 | 1.25 | 3 |\n");
    Json.write(folder.resolve("parts.json"), report);
    assertThat(Files.readString(folder.resolve("parts.json")))
        .contains("\"bytes\" : \"800\"", "\"ns_per_message\" : 20.04", "\"ns_error\" : null");
  }
}
