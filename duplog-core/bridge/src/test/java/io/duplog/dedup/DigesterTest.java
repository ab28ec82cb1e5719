package io.duplog.dedup;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.hash.Hashing;
import io.duplog.deliver.DeliveryRequests;
import io.duplog.wire.EventHead;
import io.duplog.wire.MessageBatch;
import org.junit.jupiter.api.Test;

/**
 * Tests that a digest depends only on the identity: the sender and message, the message alone, or
 * what the shim hashed for an event.
 */
class DigesterTest {
  private static String digest(Identity identity, String message) {
    MessageBatch batch = DeliveryRequests.batch(true, message);
    return new Digester(identity).digest(batch).hex(0);
  }

  @Test
  void digest_isSha256OfSenderAndMessage_cutTo128Bits() {
    String message = "10.0.0.1 <13>text \u00ff";

    assertThat(digest(Identity.SENDER_AND_MESSAGE, message))
        .isEqualTo(
            Hashing.sha256().hashBytes(message.getBytes(ISO_8859_1)).toString().substring(0, 32));
  }

  @Test
  void sameText_ofAnotherSender_isAnotherMessage() {
    assertThat(digest(Identity.SENDER_AND_MESSAGE, "10.0.0.1 <13>text"))
        .isNotEqualTo(digest(Identity.SENDER_AND_MESSAGE, "10.0.0.2 <13>text"))
        .isNotEqualTo(digest(Identity.SENDER_AND_MESSAGE, "::ffff:10.0.0.1 <13>text"))
        .as("an address ends with the first space, and holds none")
        .isNotEqualTo(digest(Identity.SENDER_AND_MESSAGE, "10.0.0.2 10.0.0.1 <13>text"));
  }

  /** The shim has hashed what its settings say; time and fields may differ between two nodes. */
  @Test
  void digestOfAnEvent_isItsIdentity_whateverElseDiffers() {
    EventHead one = new EventHead("1", "h", null, null, null, null, EventHead.Content.TEXT);
    EventHead other = new EventHead("2", "i", null, null, null, null, EventHead.Content.TEXT);
    for (Identity identity : Identity.values()) {
      Digester digester = new Digester(identity);
      assertThat(digester.digest(DeliveryRequests.event(one, "h x")).hex(0))
          .isEqualTo("00".repeat(16))
          .isEqualTo(digester.digest(DeliveryRequests.event(other, "i y")).hex(0));
    }
  }

  @Test
  void identityOfTheMessageAlone_leavesTheSenderOut() {
    assertThat(digest(Identity.MESSAGE, "10.0.0.1 <13>text"))
        .isEqualTo(digest(Identity.MESSAGE, "10.0.0.2 <13>text"))
        .isNotEqualTo(digest(Identity.MESSAGE, "10.0.0.1 <13>text "));
  }
}
