package io.duplog.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import io.duplog.observe.JsonValue;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Tests that the doctor's report shows every finding, as text for a terminal and as JSON. */
class DoctorTest {
  private static final Check SICK =
      new Examined(
          "one \u001b[31m",
          findings -> {
            findings.problem("p ".repeat(60) + "end", "it \"hurts\"", "change it");
            findings.ok("fine");
          });
  private static final Check UNKNOWN =
      new Examined("two", findings -> findings.notChecked("no way there", "go there"));
  private static final Check DEFECTIVE =
      new Examined(
          "three",
          findings -> {
            findings.warning("w", "c", "r");
            throw new IllegalStateException("oops");
          });

  private static final List<Check> CHECKS = List.of(SICK, UNKNOWN, DEFECTIVE);

  @Test
  void text_groupsBySubject_breaksLines_andHasNoControlCharacters() {
    StringWriter out = new StringWriter();

    FindingsText text = new FindingsText(new PrintWriter(out));
    text.end("doctor", Doctor.examine(CHECKS, text::print));

    assertThat(out.toString())
        .contains("one ?[31m\n  PROBLEM      p p p", "\n               causes: it \"hurts\"\n")
        .contains("\n               change: change it\n  ok           fine\n\ntwo\n")
        .contains("  not checked  no way there\n               to check: go there\n")
        .contains("the check itself failed: java.lang.IllegalStateException: oops")
        .endsWith("\ndoctor: problems=2 warnings=1 not-checked=1 ok=1\n")
        .doesNotContain("\u001b");
    assertThat(out.toString().lines())
        .allSatisfy(line -> assertThat(line.length()).isLessThan(101));
  }

  @Test
  void json_holdsEveryFinding_andTheirNumbers() throws Exception {
    StringWriter out = new StringWriter();

    FindingsJson.print(Doctor.examine(CHECKS, finding -> {}), new PrintWriter(out));

    JsonValue document = JsonValue.parse(out.toString());
    assertThat(document.at("findings").list())
        .extracting(finding -> finding.at("severity").text())
        .containsExactly("problem", "ok", "not checked", "warning", "problem");
    assertThat(out.toString())
        .contains("\"causes\" : \"it \\\"hurts\\\"\"")
        .contains("\"problems\" : 2", "\"not-checked\" : 1");
  }

  private record Examined(String subject, Consumer<Findings> examination) implements Check {
    @Override
    public void examine(Findings findings) {
      examination.accept(findings);
    }
  }
}
