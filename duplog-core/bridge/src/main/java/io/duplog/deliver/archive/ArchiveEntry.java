package io.duplog.deliver.archive;

import io.duplog.observe.Json;
import io.duplog.observe.JsonObject;
import io.duplog.observe.JsonValue;
import java.io.IOException;
import java.time.Instant;
import java.time.format.DateTimeParseException;

/**
 * A closed file of the archive, as its line in the index describes it.
 *
 * @param number number among the files of the bridge, without gaps
 * @param bridge the bridge's name
 * @param file path below the archive's folder
 * @param first when the file's first messages were written
 * @param last when its last messages were written
 * @param closed when the file was closed. No message that was written before is in a later file.
 */
record ArchiveEntry(
    long number,
    String bridge,
    String file,
    Instant first,
    Instant last,
    Instant closed,
    Content content) {

  /**
   * What a file holds.
   *
   * @param messages number of messages, which are its lines
   * @param bytes size of the compressed file
   * @param sha256 SHA-256 of the compressed file, as hexadecimal digits
   */
  record Content(long messages, long bytes, String sha256) {}

  String line() {
    return Json.ascii(
        new JsonObject()
            .put("number", number)
            .put("bridge", bridge)
            .put("file", file)
            .put("first", first)
            .put("last", last)
            .put("closed", closed)
            .put("messages", content.messages())
            .put("bytes", content.bytes())
            .put("sha256", content.sha256()));
  }

  /**
   * Reads the result of {@link #line}.
   *
   * @throws IOException if the line has another form
   */
  static ArchiveEntry parse(String line) throws IOException {
    JsonValue json = JsonValue.parse(line);
    try {
      return new ArchiveEntry(
          (long) json.at("number").number(),
          json.at("bridge").text(),
          json.at("file").text(),
          Instant.parse(json.at("first").text()),
          Instant.parse(json.at("last").text()),
          Instant.parse(json.at("closed").text()),
          new Content(
              (long) json.at("messages").number(),
              (long) json.at("bytes").number(),
              json.at("sha256").text()));
    } catch (DateTimeParseException e) {
      throw new IOException("it is not a line of an index", e);
    }
  }
}
