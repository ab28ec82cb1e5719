package io.duplog.config;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** Reads a configuration file as text. */
final class ConfigFile {
  private ConfigFile() {}

  static String read(Path file) throws ConfigException {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw ConfigException.unreadable(file, e);
    }
  }

  /** Returns why a file can't be read, in words for an administrator and without the path. */
  static String cause(Exception e) {
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
}
