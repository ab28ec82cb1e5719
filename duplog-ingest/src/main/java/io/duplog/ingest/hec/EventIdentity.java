package io.duplog.ingest.hec;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.duplog.wire.EventHead;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Decides what makes two events the same: their text, host, source, sourcetype and index, and what
 * the token's product adds. The hash must resist collisions, so that nobody can craft an event that
 * makes another host's event disappear. Not thread-safe.
 *
 * @see "docs/decisions/hec-in.md#identity"
 */
final class EventIdentity {
  private static final String SC4S_RECEIVED = "sc4s_recv_time";
  private static final String SC4S_PROBE = "sc4s:probe";

  /** Scheme in front of an address in Fluent Bit's hosts, such as {@code udp://10.0.0.1:514}. */
  private static final String SCHEME_END = "://";

  private final IdentitySettings settings;
  private final CanonicalJson canonicalJson;
  private final String stream;
  private final MessageDigest sha256 = sha256();

  /**
   * @param stream name of this node's stream
   */
  EventIdentity(IdentitySettings settings, String stream) {
    this.settings = settings;
    this.canonicalJson = settings.canonicalJson();
    this.stream = stream;
  }

  /** Returns the identity of an event, of {@link EventHead#IDENTITY_BYTES} bytes. */
  byte[] of(HecEvent event) {
    EventHead head = event.head();
    boolean isJson = head.content() == EventHead.Content.JSON;
    put(isJson ? canonicalJson.of(event.text()) : event.text());
    put(isJson ? "json" : null);
    put(host(event));
    put(head.source());
    put(head.sourcetype());
    put(head.index());
    put(address(event));
    switch (settings.product()) {
      case OTHER, SYSLOG_NG, OPENTELEMETRY, RSYSLOG, FLUENT_BIT -> {}
      case SC4S -> {
        String received = event.field(SC4S_RECEIVED);
        put(head.time() == null || head.time().equals(received) ? null : head.time());
        put(SC4S_PROBE.equals(head.sourcetype()) ? stream : null);
      }
      case COPIES -> {
        put(head.time());
        put(head.fields());
      }
    }
    return Arrays.copyOf(sha256.digest(), EventHead.IDENTITY_BYTES);
  }

  /**
   * Returns the name of an event's sender for Duplog's views, without spaces; empty if the event
   * does not say where it comes from.
   */
  String sender(HecEvent event) {
    String address = address(event);
    String sender = address == null ? host(event) : address;
    return sender == null ? "" : sender.replace(' ', '_');
  }

  private @Nullable String address(HecEvent event) {
    String field = settings.addressField();
    return field == null ? null : event.field(field);
  }

  /** Returns an event's host, which must not contain the port of one connection. */
  private @Nullable String host(HecEvent event) {
    String host = event.head().host();
    if (host == null || settings.product() != Product.FLUENT_BIT || !host.contains(SCHEME_END)) {
      return host;
    }
    String address = host.substring(host.indexOf(SCHEME_END) + SCHEME_END.length());
    int port = address.lastIndexOf(':');
    return port < 0 ? address : address.substring(0, port);
  }

  /** Adds a part with its length, so that no two lists of parts look alike. */
  private void put(@Nullable String part) {
    if (part == null) {
      sha256.update(ByteBuffer.allocate(Integer.BYTES).putInt(0, -1));
      return;
    }
    byte[] bytes = part.getBytes(UTF_8);
    sha256.update(ByteBuffer.allocate(Integer.BYTES).putInt(0, bytes.length));
    sha256.update(bytes);
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }
}
