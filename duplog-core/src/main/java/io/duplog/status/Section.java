package io.duplog.status;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;

/**
 * One part of the state document, which its owner writes. Whoever adds to the document what the
 * page and the terminal show adds a section; one that fails is shown as null and harms no other.
 *
 * @param name its key in the document
 */
public record Section(String name, Body body) {

  /** Writes a value. */
  @FunctionalInterface
  public interface Body {
    /**
     * Writes one JSON value: an object or an array. Called every second, and whenever somebody
     * asks, by any thread: so it returns at once, and asks no other machine. No secret and no
     * message belongs in it.
     */
    void write(JsonGenerator json) throws IOException;
  }

  /** A section of this name and body. */
  public static Section of(String name, Body body) {
    return new Section(name, body);
  }
}
