package io.duplog.config;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Replaces references in a configuration's values. The reference <code>${env:NAME}</code> is
 * replaced by an environment variable, <code>${file:/path}</code> by the content of a file, and
 * <code>${hostname}</code> by the host's name. References may occur anywhere in a value; <code>$${
 * </code> is a literal <code>${</code>. The inserted text is not searched for references.
 */
final class References {
  private static final Pattern REFERENCE = Pattern.compile("\\$\\$\\{|\\$\\{([^}]*)(}?)");

  /**
   * Maximum size of a file. A longer file is not a password, and may be a device with endless
   * content.
   */
  private static final int MAX_BYTES = 1 << 16;

  private final UnaryOperator<@Nullable String> environment;
  private final Supplier<String> hostName;
  private final Path folder;

  /**
   * @param environment returns null for a variable that is not set
   * @param folder folder at which relative paths begin
   */
  References(UnaryOperator<@Nullable String> environment, Supplier<String> hostName, Path folder) {
    this.environment = environment;
    this.hostName = hostName;
    this.folder = folder;
  }

  /**
   * @throws IllegalArgumentException if a reference has no target; the message names the reference
   */
  String expand(String text) {
    if (!text.contains("${")) {
      return text;
    }
    Matcher matcher = REFERENCE.matcher(text);
    StringBuilder expanded = new StringBuilder();
    while (matcher.find()) {
      String reference = matcher.group(1);
      String value = reference == null ? "${" : resolve(reference, !matcher.group(2).isEmpty());
      matcher.appendReplacement(expanded, Matcher.quoteReplacement(value));
    }
    return matcher.appendTail(expanded).toString();
  }

  private String resolve(String reference, boolean hasClosingBrace) {
    if (hasClosingBrace && reference.startsWith("env:")) {
      return variable(reference.substring("env:".length()));
    }
    if (hasClosingBrace && reference.startsWith("file:")) {
      return content(reference.substring("file:".length()));
    }
    if (hasClosingBrace && reference.equals("hostname")) {
      return hostName.get();
    }
    // The message does not repeat the text, which may be a part of a password.
    throw new IllegalArgumentException(
        "has a '${' that begins no reference; write ${env:NAME}, ${file:/path} or ${hostname}, and"
            + " $${ for a plain ${");
  }

  private String variable(String name) {
    String value = environment.apply(name);
    if (value == null) {
      throw new IllegalArgumentException("refers to ${env:" + name + "}, which is not set");
    }
    return value;
  }

  private String content(String path) {
    try (InputStream file = Files.newInputStream(folder.resolve(path))) {
      byte[] content = file.readNBytes(MAX_BYTES + 1);
      if (content.length > MAX_BYTES) {
        throw new IOException("longer than " + MAX_BYTES + " bytes");
      }
      return new String(content, StandardCharsets.UTF_8).replaceFirst("\\r?\\n\\z", "");
    } catch (IOException | RuntimeException e) {
      throw new IllegalArgumentException(
          "refers to ${file:" + path + "}, which can't be read (" + ConfigFile.cause(e) + ")", e);
    }
  }
}
