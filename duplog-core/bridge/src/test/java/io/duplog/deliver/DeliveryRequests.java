package io.duplog.deliver;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.duplog.wire.BatchDecoder;
import io.duplog.wire.BatchEncoder;
import io.duplog.wire.BatchLimits;
import io.duplog.wire.EncodedBatch;
import io.duplog.wire.EventHead;
import io.duplog.wire.MalformedBatchException;
import io.duplog.wire.MessageBatch;
import io.duplog.wire.MessageForm;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Creates requests to deliver messages for tests of sinks, and records which ones the sink
 * accepted. Each character becomes one byte.
 */
public class DeliveryRequests {
  /** Time at which every delivery request was received: 2026-03-14T15:09:26.535Z. */
  public static final long RECEIVED_MILLIS = 1_773_500_966_535L;

  /** A message that a sink refused permanently. */
  public record Refused(String delivery, int message, String reason, Runnable kept) {
    /** Returns a name such as {@code p-2}. */
    public String name() {
      return delivery + "-" + message;
    }
  }

  private final List<String> withdrawn = Collections.synchronizedList(new ArrayList<>());
  private final List<Refused> refused = Collections.synchronizedList(new ArrayList<>());
  private final List<String> accepted = Collections.synchronizedList(new ArrayList<>());

  /**
   * Makes a delivery request of all of these messages, each with its sender and a space in front.
   */
  public DeliveryRequest ofSenders(String name, String... messages) {
    return ofAll(name, batch(true, messages));
  }

  /** Makes a delivery request of all of these messages. */
  public DeliveryRequest ofMessages(String name, String... messages) {
    return ofAll(name, batch(false, messages));
  }

  /** Makes a delivery request of one message whose publisher is not a shim. */
  public DeliveryRequest ofPlainBody(String name, String body) {
    return ofAll(name, MessageBatch.ofPlainBody(body.getBytes(ISO_8859_1)));
  }

  /** Makes a delivery request of one event of HEC, whose text follows its sender and a space. */
  public DeliveryRequest ofEvent(String name, EventHead head, String senderAndText) {
    return ofAll(name, event(head, senderAndText));
  }

  private DeliveryRequest ofAll(String name, MessageBatch batch) {
    BitSet all = new BitSet();
    all.set(0, batch.count());
    return of(name, batch, all);
  }

  /** Makes a delivery request of the chosen messages of a batch. */
  public DeliveryRequest of(String name, MessageBatch batch, BitSet chosen) {
    return of(name, batch, chosen, DeliveryRequest.Passage.KEPT);
  }

  /**
   * Makes a delivery request, with how it comes to be delivered; the digest of message i is {@code
   * digest-i}.
   */
  public DeliveryRequest of(
      String name, MessageBatch batch, BitSet chosen, DeliveryRequest.Passage passage) {
    return new DeliveryRequest(
        DeliveryRequest.Origin.of("syslog-a", RECEIVED_MILLIS),
        batch,
        chosen,
        passage,
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
          public void refused(int message, @Nullable String sink, String reason, Runnable kept) {
            refuse(new Refused(name, message, reason, kept));
          }
        });
  }

  /** Called when a delivery request was accepted. */
  protected void accept(String name) {
    accepted.add(name);
  }

  /** Called when a message was permanently refused. */
  protected void refuse(Refused one) {
    refused.add(one);
  }

  /** Returns the names of the delivery requests that were withdrawn. */
  public List<String> withdrawn() {
    return withdrawn;
  }

  /** Returns the messages that were refused. The test itself must run {@link Refused#kept}. */
  public List<Refused> refused() {
    return refused;
  }

  /** Returns the names of the delivery requests that were accepted. */
  public List<String> accepted() {
    return accepted;
  }

  /** Returns the messages of a batch, each with its sender in front if the batch has senders. */
  public static List<String> texts(MessageBatch batch) {
    return IntStream.range(0, batch.count())
        .mapToObj(
            i -> {
              int start = batch.start(i);
              return new String(batch.data(), start, batch.end(i) - start, ISO_8859_1);
            })
        .toList();
  }

  /** Returns a batch with one event of HEC, whose text follows its sender and a space. */
  public static MessageBatch event(EventHead head, String senderAndText) {
    return event(head, 0, senderAndText);
  }

  /** Returns a batch with one event of HEC, which is the same as others of its identity. */
  public static MessageBatch event(EventHead head, int identity, String senderAndText) {
    ByteArrayOutputStream message = new ByteArrayOutputStream();
    byte[] bytes = new byte[EventHead.IDENTITY_BYTES];
    bytes[0] = (byte) identity;
    head.write(bytes, message);
    message.writeBytes(senderAndText.getBytes(ISO_8859_1));
    try (BatchEncoder encoder = new BatchEncoder(MessageForm.EVENT, false)) {
      encoder.add(message.toByteArray(), 0, message.size());
      return decoded(encoder.encode());
    }
  }

  public static MessageBatch batch(boolean senderPrefixed, String... messages) {
    try (BatchEncoder encoder = new BatchEncoder(MessageForm.ofText(senderPrefixed), false)) {
      for (String message : messages) {
        byte[] bytes = message.getBytes(ISO_8859_1);
        encoder.add(bytes, 0, bytes.length);
      }
      return decoded(encoder.encode());
    }
  }

  private static MessageBatch decoded(EncodedBatch encoded) {
    try {
      return new BatchDecoder(BatchLimits.DEFAULT).decode(encoded.body(), encoded.encoding());
    } catch (MalformedBatchException e) {
      throw new AssertionError(e);
    }
  }
}
