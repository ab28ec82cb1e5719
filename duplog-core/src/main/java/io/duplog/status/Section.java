package io.duplog.status;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;

/**
 * One part of the state document, which its owner writes. Whoever adds to the document what the
 * page and the terminal show adds a section; one that fails is shown as null and harms no other.
 */
public interface Section {

  /** Its key in the document. */
  String name();

  /**
   * Writes one JSON value: an object or an array. Called every second, and whenever somebody asks,
   * by any thread: so it returns at once, and asks no other machine. No secret and no message
   * belongs in it.
   */
  void write(JsonGenerator json) throws IOException;

  /** Writes a value. */
  @FunctionalInterface
  interface Body {
    void write(JsonGenerator json) throws IOException;
  }

  /** A section of this name and body. */
  static Section of(String name, Body body) {
    return new Section() {
      @Override
      public String name() {
        return name;
      }

      @Override
      public void write(JsonGenerator json) throws IOException {
        body.write(json);
      }
    };
  }
}
