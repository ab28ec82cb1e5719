package io.duplog.benchmark.measure;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import io.duplog.benchmark.load.Sent;
import io.duplog.benchmark.load.Tally;
import java.util.List;
import java.util.stream.Stream;

/**
 * A comparison of the sent and the delivered messages, one by one. The merged stream should contain
 * each message as often as the stream that had the most copies of it.
 *
 * @param sent number of messages; of equal ones, the largest number in any stream
 * @param copies number of copies that left the sender, to all streams together
 * @param delivered number of lines in the merged stream
 * @param lost number of messages missing from the merged stream, without the burned ones
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

  /** Creates a comparison in which no messages were burned, that is, lost with a destroyed host. */
  public Reconciliation(
      long sent, long copies, long delivered, long lost, long duplicated, long corrupted) {
    this(sent, copies, delivered, lost, duplicated, corrupted, 0);
  }

  /** Compares what was sent with the messages in the merged stream. */
  public static Reconciliation of(Sent sent, Tally delivered) {
    List<Tally> all =
        Stream.of(sent.promised(), sent.possible(), sent.exposed()).flatMap(List::stream).toList();
    int end = Math.max(delivered.end(), all.stream().mapToInt(Tally::end).max().orElse(0));
    long messages = 0;
    long lost = 0;
    long duplicated = 0;
    long corrupted = delivered.altered();
    long burned = 0;
    for (int serial = 0; serial < end; serial++) {
      long alone = 0;
      for (Tally host : sent.exposed()) {
        alone += host.count(serial);
      }
      long least = 0;
      long most = 0;
      for (int i = 0; i < sent.promised().size(); i++) {
        long surely = sent.promised().get(i).count(serial);
        least = Math.max(least, surely);
        most = Math.max(most, surely + sent.possible().get(i).count(serial));
      }
      most += alone;
      long found = delivered.count(serial);
      messages += least + alone;
      lost += Math.max(0, least - found);
      burned += Math.max(0, least + alone - found) - Math.max(0, least - found);
      duplicated += most == 0 ? 0 : Math.max(0, found - most);
      corrupted += most == 0 ? found : 0;
    }
    long copies = all.stream().mapToLong(Tally::total).sum();
    return new Reconciliation(
        messages, copies, delivered.total(), lost, duplicated, corrupted, burned);
  }

  /** Whether each message was delivered exactly as often as it was sent, and no others were. */
  public boolean isExact() {
    return lost == 0 && duplicated == 0 && corrupted == 0 && burned == 0;
  }
}
