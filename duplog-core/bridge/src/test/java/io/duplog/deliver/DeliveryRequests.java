package io.duplog.deliver;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.duplog.wire.BatchDecoder;
import io.duplog.wire.BatchEncoder;
import io.duplog.wire.BatchLimits;
import io.duplog.wire.EncodedBatch;
import io.duplog.wire.MalformedBatchException;
import io.duplog.wire.MessageBatch;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Makes delivery requests and remembers which were accepted, in order. One character is one byte.
 */
public class DeliveryRequests {
  /** When every delivery request was received: 2026-03-14T15:09:26.535Z. */
  public static final long RECEIVED_MILLIS = 1_773_500_966_535L;

  /** A message that a sink refused for good. */
  public record Refused(String delivery, int message, String reason, Runnable kept) {
    /** Such as {@code p-2}. */
    public String name() {
      return delivery + "-" + message;
    }
  }

  private final List<String> withdrawn = Collections.synchronizedList(new ArrayList<>());
  private final List<Refused> refused = Collections.synchronizedList(new ArrayList<>());
  private final List<String> accepted = Collections.synchronizedList(new ArrayList<>());

  /** A delivery request of all of these messages, each with its sender and a space in front. */
  public DeliveryRequest ofSenders(String name, String... messages) {
    return ofAll(name, batch(true, messages));
  }

  /** A delivery request of all of these messages. */
  public DeliveryRequest ofMessages(String name, String... messages) {
    return ofAll(name, batch(false, messages));
  }

  /** A delivery request of one message from a foreign publisher. */
  public DeliveryRequest ofPlainBody(String name, String body) {
    return ofAll(name, MessageBatch.ofPlainBody(body.getBytes(ISO_8859_1)));
  }

  private DeliveryRequest ofAll(String name, MessageBatch batch) {
    BitSet all = new BitSet();
    all.set(0, batch.count());
    return of(name, batch, all);
  }

  /** A delivery request of the chosen messages of a batch. */
  public DeliveryRequest of(String name, MessageBatch batch, BitSet chosen) {
    return of(name, batch, chosen, DeliveryRequest.Passage.KEPT);
  }

  /** The same, with how they come to be delivered; the digest of message i is {@code digest-i}. */
  public DeliveryRequest of(
      String name, MessageBatch batch, BitSet chosen, DeliveryRequest.Passage passage) {
    return new DeliveryRequest(
        "syslog-a",
        batch,
        chosen,
        passage,
        RECEIVED_MILLIS,
        i -> "digest-" + i,
        new DeliveryRequest.Callback() {
          @Override
          public void accepted() {
            accept(name);
          }

          @Override
          public void withdrawn() {
            withdrawn.add(name);
          }

          @Override
          public void refused(int message, String reason, Runnable kept) {
            refuse(new Refused(name, message, reason, kept));
          }
        });
  }

  /** A delivery request was accepted. */
  protected void accept(String name) {
    accepted.add(name);
  }

  /** A message was refused for good. */
  protected void refuse(Refused one) {
    refused.add(one);
  }

  /** The names of the delivery requests that were withdrawn. */
  public List<String> withdrawn() {
    return withdrawn;
  }

  /** The messages that were refused. Nothing runs {@link Refused#kept} but the test. */
  public List<Refused> refused() {
    return refused;
  }

  /** The names of the delivery requests that were accepted. */
  public List<String> accepted() {
    return accepted;
  }

  /** The messages of a batch, each with its sender in front if the batch has senders. */
  public static List<String> texts(MessageBatch batch) {
    return IntStream.range(0, batch.count())
        .mapToObj(
            i -> {
              int start = batch.start(i);
              return new String(batch.data(), start, batch.end(i) - start, ISO_8859_1);
            })
        .toList();
  }

  public static MessageBatch batch(boolean senderPrefixed, String... messages) {
    try (BatchEncoder encoder = new BatchEncoder(senderPrefixed, false)) {
      for (String message : messages) {
        byte[] bytes = message.getBytes(ISO_8859_1);
        encoder.add(bytes, 0, bytes.length);
      }
      EncodedBatch encoded = encoder.encode();
      return new BatchDecoder(BatchLimits.DEFAULT).decode(encoded.body(), encoded.encoding());
    } catch (MalformedBatchException e) {
      throw new AssertionError(e);
    }
  }
}
