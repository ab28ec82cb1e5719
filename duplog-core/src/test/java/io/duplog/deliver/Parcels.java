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

/** Makes parcels and remembers which were accepted, in order. One character is one byte. */
public final class Parcels {
  private final List<String> accepted = Collections.synchronizedList(new ArrayList<>());

  /** A parcel of all of these messages, each with its sender and a space in front. */
  public Parcel ofSenders(String name, String... messages) {
    BitSet all = new BitSet();
    all.set(0, messages.length);
    return of(name, batch(true, messages), all);
  }

  /** A parcel of one message from a foreign publisher. */
  public Parcel ofPlainBody(String name, String body) {
    BitSet all = new BitSet();
    all.set(0);
    return of(name, MessageBatch.ofPlainBody(body.getBytes(ISO_8859_1)), all);
  }

  /** A parcel of the chosen messages of a batch. */
  public Parcel of(String name, MessageBatch batch, BitSet chosen) {
    return new Parcel("syslog-a", batch, chosen, false, () -> accepted.add(name));
  }

  /** The names of the parcels that were accepted. */
  public List<String> accepted() {
    return accepted;
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
