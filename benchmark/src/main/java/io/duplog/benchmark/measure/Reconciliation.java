package io.duplog.benchmark.measure;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import io.duplog.benchmark.load.Sent;
import io.duplog.benchmark.load.Tally;
import java.util.List;
import java.util.stream.Stream;

/**
 * Compares the delivered with the sent messages one by one, and counts lost, duplicated and altered
 * ones. For each message, the merged stream should have as many copies as the stream with the most.
 *
 * @param sent number of messages; of equal ones, the largest number in any stream
 * @param copies number of copies that left the sender, to all streams together
 * @param delivered number of lines in the merged stream
 * @param lost number of messages missing from the merged stream, without those lost with a disk
 * @param duplicated number of messages that the merged stream contains in excess
 * @param corrupted number of lines in the merged stream that were never sent
 * @param burned number of messages missing because the only host that had them was destroyed
 */
public record Reconciliation(
    long sent,
    long copies,
    long delivered,
    @JsonProperty(required = true) long lost,
    long duplicated,
    long corrupted,
    @JsonInclude(JsonInclude.Include.NON_DEFAULT) long burned) {

  /** Creates a comparison in which no message was lost with a destroyed host. */
  public Reconciliation(
      long sent, long copies, long delivered, long lost, long duplicated, long corrupted) {
    this(sent, copies, delivered, lost, duplicated, corrupted, 0);
  }

  /** Compares the sent messages with those in the merged stream. */
  public static Reconciliation of(Sent sent, Tally delivered) {
    List<Tally> allTallies =
        Stream.of(sent.requiredTallies(), sent.possibleTallies(), sent.exposedTallies())
            .flatMap(List::stream)
            .toList();
    int end = Math.max(delivered.end(), allTallies.stream().mapToInt(Tally::end).max().orElse(0));
    long messages = 0;
    long lost = 0;
    long duplicated = 0;
    long corrupted = delivered.altered();
    long burned = 0;
    for (int serial = 0; serial < end; serial++) {
      long exposedCount = 0;
      for (Tally host : sent.exposedTallies()) {
        exposedCount += host.count(serial);
      }
      long minCount = 0;
      long maxCount = 0;
      for (int i = 0; i < sent.requiredTallies().size(); i++) {
        long requiredCount = sent.requiredTallies().get(i).count(serial);
        minCount = Math.max(minCount, requiredCount);
        maxCount = Math.max(maxCount, requiredCount + sent.possibleTallies().get(i).count(serial));
      }
      maxCount += exposedCount;
      long deliveredCount = delivered.count(serial);
      messages += minCount + exposedCount;
      lost += Math.max(0, minCount - deliveredCount);
      burned +=
          Math.max(0, minCount + exposedCount - deliveredCount)
              - Math.max(0, minCount - deliveredCount);
      duplicated += maxCount == 0 ? 0 : Math.max(0, deliveredCount - maxCount);
      corrupted += maxCount == 0 ? deliveredCount : 0;
    }
    long copies = allTallies.stream().mapToLong(Tally::total).sum();
    return new Reconciliation(
        messages, copies, delivered.total(), lost, duplicated, corrupted, burned);
  }

  /** Whether each message was delivered exactly as often as it was sent, and no others were. */
  public boolean isExact() {
    return lost == 0 && duplicated == 0 && corrupted == 0 && burned == 0;
  }
}
