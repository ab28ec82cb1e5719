package io.duplog.statement;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.common.hash.Hashing;
import io.duplog.coverage.CoverageJson;
import io.duplog.coverage.CoverageReport;
import io.duplog.observe.JsonObject;
import io.duplog.observe.JsonValue;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoUnit;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The signed statement of one hour: what all bridges received and delivered, as a line of JSON. Its
 * form is {@code {"statement":BODY,"signature":"…"}}. The signature covers the body's bytes. The
 * next statement has the hash of the whole line. Immutable.
 *
 * @param line the line without its line feed
 * @param number number in the chain, from 1
 * @param hour beginning of the hour
 * @param previous hash of the previous statement, or empty for the first
 * @param parts the bridges' parts of this hour, and late parts of earlier hours
 * @param streams sums of the parts
 * @param body the signed content
 */
record SignedStatement(
    String line,
    long number,
    Instant hour,
    String previous,
    List<BridgePart> parts,
    List<StreamPart> streams,
    JsonValue body) {

  private static final String BEGIN = "{\"statement\":";
  private static final String SIGNATURE = ",\"signature\":\"";
  private static final String END = "\"}";

  /**
   * Creates a statement.
   *
   * @param before the last statement, or null if there is none
   * @param compared the streams' missed messages in the hour, or null if they were not settled
   * @throws GeneralSecurityException if the key can't sign
   */
  static SignedStatement of(
      @Nullable SignedStatement before,
      Instant hour,
      List<BridgePart> parts,
      @Nullable CoverageReport compared,
      PrivateKey key)
      throws GeneralSecurityException {
    JsonObject body =
        new JsonObject()
            .put("number", before == null ? 1 : before.number() + 1)
            .put("hour", hour)
            .put("previous", before == null ? "" : before.hash())
            .put("streams", sums(parts).stream().map(StreamPart::json).toList())
            .put("unknown", unknown(parts))
            .put("compared", compared == null ? null : json(compared))
            .put("bridges", parts.stream().map(BridgePart::json).toList());
    String text = JsonObject.ascii(body);
    String line = BEGIN + text + SIGNATURE + signature(text, key) + END;
    return Objects.requireNonNull(parse(line), line);
  }

  private static String signature(String body, PrivateKey key) throws GeneralSecurityException {
    Signature signature = Signature.getInstance("Ed25519");
    signature.initSign(key);
    signature.update(body.getBytes(UTF_8));
    return Base64.getEncoder().encodeToString(signature.sign());
  }

  /** Returns the sums of all parts by stream, in the order in which the streams appear. */
  static List<StreamPart> sums(List<BridgePart> parts) {
    Map<String, List<StreamPart>> byStream =
        parts.stream()
            .flatMap(part -> part.streams().stream())
            .collect(
                Collectors.groupingBy(StreamPart::stream, LinkedHashMap::new, Collectors.toList()));
    return byStream.entrySet().stream()
        .map(each -> StreamPart.sum(each.getKey(), each.getValue()))
        .toList();
  }

  /** Returns what is unknown: the counts of lost bridges after their last stored version. */
  private static JsonObject unknown(List<BridgePart> parts) {
    List<BridgePart> lost = parts.stream().filter(part -> !part.ended()).toList();
    return new JsonObject()
        .put("bridges", lost.size())
        .put("copies_about", lost.stream().mapToLong(BridgePart::most).sum());
  }

  private static JsonObject json(CoverageReport report) {
    return new JsonObject()
        .put("from", report.from())
        .put("until", report.settledUntil())
        .put("not_compared", report.doubtful())
        .put("parts_missing", report.partial().size())
        .put(
            "streams",
            report.streams().stream().map(stream -> CoverageJson.of(stream, report)).toList());
  }

  /** Parses a statement without verifying it. Returns null if the line is not a statement. */
  static @Nullable SignedStatement parse(String line) {
    int end = line.lastIndexOf(SIGNATURE);
    if (!line.startsWith(BEGIN) || end < BEGIN.length() || !line.endsWith(END)) {
      return null;
    }
    try {
      JsonValue body = JsonValue.parse(line).at("statement");
      return new SignedStatement(
          line,
          (long) body.at("number").number(),
          Instant.parse(body.at("hour").text()),
          body.at("previous").text(),
          body.at("bridges").list().stream().map(BridgePart::of).toList(),
          body.at("streams").list().stream().map(StreamPart::of).toList(),
          body);
    } catch (IOException | DateTimeParseException e) {
      return null;
    }
  }

  /** Returns the end of the hour. */
  Instant until() {
    return hour.plus(1, ChronoUnit.HOURS);
  }

  /** Returns the hash by which the next statement refers to this one. */
  String hash() {
    return Hashing.sha256().hashString(line, UTF_8).toString();
  }

  private String signed() {
    return line.substring(BEGIN.length(), line.lastIndexOf(SIGNATURE));
  }

  private String signature() {
    int begin = line.lastIndexOf(SIGNATURE) + SIGNATURE.length();
    return line.substring(begin, line.length() - END.length());
  }

  /** Whether this statement is the direct successor of the other one in the chain. */
  boolean follows(SignedStatement before) {
    return number == before.number + 1 && previous.equals(before.hash());
  }

  /**
   * Whether this key created the signature. Signs again and compares, because Ed25519 signatures
   * are deterministic.
   */
  boolean isSignedBy(PrivateKey key) throws GeneralSecurityException {
    return signature().equals(signature(signed(), key));
  }

  boolean isSignedBy(PublicKey key) {
    try {
      Signature signature = Signature.getInstance("Ed25519");
      signature.initVerify(key);
      signature.update(signed().getBytes(UTF_8));
      byte[] decoded = Base64.getDecoder().decode(signature());
      return Base64.getEncoder().encodeToString(decoded).equals(signature())
          && signature.verify(decoded);
    } catch (GeneralSecurityException | IllegalArgumentException e) {
      return false; // not a signature
    }
  }
}
