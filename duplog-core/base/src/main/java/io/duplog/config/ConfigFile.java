package io.duplog.config;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;

/**
 * Reads the text of a configuration file, tells whether the file has changed, and explains why it
 * can't be read.
 */
public final class ConfigFile {
  private ConfigFile() {}

  static String read(Path file) throws ConfigException {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw ConfigException.unreadable(file, e);
    }
  }

  /**
   * Returns the reason why a file can't be read, worded for an administrator and without the path.
   */
  public static String cause(Exception e) {
    if (e instanceof NoSuchFileException) {
      return "no such file";
    }
    if (e instanceof AccessDeniedException) {
      return "permission denied";
    }
    if (e instanceof CharacterCodingException) {
      return "not UTF-8 text";
    }
    return String.valueOf(e.getMessage());
  }

  /** Returns a text that changes if the file is replaced or written to. */
  public static String stamp(Path file) {
    try {
      BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class);
      return attributes.lastModifiedTime() + " " + attributes.size() + " " + attributes.fileKey();
    } catch (IOException e) {
      return "unreadable"; // reading the file reports the reason
    }
  }
}
