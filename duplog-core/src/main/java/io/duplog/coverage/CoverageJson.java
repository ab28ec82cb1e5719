package io.duplog.coverage;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Reports as JSON, for the page and the terminal. */
public final class CoverageJson {
  private CoverageJson() {}

  /**
   * One object: the report on the last hour, the mismatches, and beside them, under {@code last_5m}
   * and {@code last_24h}, the reports on other stretches.
   *
   * @param warnPercent the threshold that the readers are to compare with
   */
  public static void write(Coverage coverage, int warnPercent, JsonGenerator json)
      throws IOException {
    CoverageReport hour = coverage.report(Duration.ofHours(1));
    json.writeStartObject();
    json.writeNumberField("warn_percent", warnPercent);
    json.writeNumberField("dedup_window_seconds", hour.window().toSeconds());
    writeMembers(hour, Duration.ofHours(1), json);
    json.writeObjectFieldStart("last_5m");
    writeMembers(coverage.report(Duration.ofMinutes(5)), Duration.ofMinutes(5), json);
    json.writeEndObject();
    json.writeObjectFieldStart("last_24h");
    writeMembers(coverage.report(Duration.ofDays(1)), Duration.ofDays(1), json);
    json.writeEndObject();
    json.writeArrayFieldStart("mismatches");
    for (Mismatch mismatch : coverage.mismatches()) {
      write(mismatch, json);
    }
    json.writeEndArray();
    json.writeEndObject();
  }

  private static void writeMembers(CoverageReport report, Duration range, JsonGenerator json)
      throws IOException {
    json.writeNumberField("window_seconds", range.toSeconds());
    json.writeStringField("from", text(report.from()));
    json.writeStringField("settled_until", text(report.settledUntil()));
    json.writeBooleanField("complete", report.complete());
    json.writeNumberField("not_compared", report.doubtful());
    json.writeNumberField("ledger_parts", report.parts());
    json.writeArrayFieldStart("ledger_parts_missing");
    for (CoverageReport.Partial part : report.partial()) {
      json.writeStartObject();
      json.writeNumberField("part", part.part());
      json.writeStringField("counted_from", text(part.from()));
      json.writeStringField("counted_until", text(part.settledUntil()));
      json.writeEndObject();
    }
    json.writeEndArray();
    json.writeArrayFieldStart("streams");
    if (report.settledUntil() != null) {
      for (CoverageReport.Stream stream : report.streams()) {
        json.writeStartObject();
        json.writeStringField("stream", stream.stream());
        json.writeNumberField("messages", stream.messages());
        json.writeNumberField("missed", stream.missed());
        json.writeNumberField("missed_percent", stream.missedPercent());
        json.writeBooleanField("absent", report.isAbsent(stream));
        json.writeNumberField("missed_at_least", stream.missedAtLeast());
        json.writeArrayFieldStart("senders");
        for (CoverageReport.Sender sender : stream.senders()) {
          write(sender, sender.sender().isEmpty() ? "(unknown)" : sender.sender(), json);
        }
        if (stream.others().messages() > 0) {
          write(stream.others(), "(others)", json);
        }
        json.writeEndArray();
        json.writeEndObject();
      }
    }
    json.writeEndArray();
  }

  private static void write(CoverageReport.Sender sender, String name, JsonGenerator json)
      throws IOException {
    json.writeStartObject();
    json.writeStringField("sender", name);
    json.writeNumberField("messages", sender.messages());
    json.writeNumberField("missed", sender.missed());
    json.writeNumberField("missed_percent", sender.missedPercent());
    json.writeEndObject();
  }

  private static void write(Mismatch mismatch, JsonGenerator json) throws IOException {
    json.writeStartObject();
    json.writeStringField("one", mismatch.one());
    json.writeStringField("other", mismatch.other());
    Mismatch.@Nullable Example example = mismatch.example();
    if (example != null) {
      json.writeObjectFieldStart("example");
      json.writeStringField("one", example.one());
      json.writeStringField("other", example.other());
      json.writeNumberField("offset", example.offset());
      json.writeStringField("cause", example.cause());
      json.writeEndObject();
    }
    json.writeEndObject();
  }

  private static @Nullable String text(@Nullable Object value) {
    return value == null ? null : value.toString();
  }
}
