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
 * Replaces the references in a value by what they refer to: <code>${env:NAME}</code>, a file such
 * as <code>${file:/path}</code> and <code>${hostname}</code>. References may stand anywhere in a
 * value, and <code>$${</code> is a plain <code>${</code>. What was put in is not searched for
 * references again.
 */
final class References {
  private static final Pattern REFERENCE = Pattern.compile("\\$\\$\\{|\\$\\{([^}]*)(}?)");

  /**
   * Most bytes to read of a file. What is longer is no password, and may be a device without an
   * end.
   */
  private static final int MOST_BYTES = 1 << 16;

  private final UnaryOperator<@Nullable String> environment;
  private final Supplier<String> hostName;
  private final Path folder;

  /**
   * @param environment returns null for a variable that is not set
   * @param folder where relative paths begin
   */
  References(UnaryOperator<@Nullable String> environment, Supplier<String> hostName, Path folder) {
    this.environment = environment;
    this.hostName = hostName;
    this.folder = folder;
  }

  /**
   * @throws IllegalArgumentException that names the reference which leads nowhere
   */
  String expand(String text) {
    if (!text.contains("${")) {
      return text;
    }
    Matcher matcher = REFERENCE.matcher(text);
    StringBuilder expanded = new StringBuilder();
    while (matcher.find()) {
      String body = matcher.group(1);
      String value = body == null ? "${" : resolve(body, !matcher.group(2).isEmpty());
      matcher.appendReplacement(expanded, Matcher.quoteReplacement(value));
    }
    return matcher.appendTail(expanded).toString();
  }

  private String resolve(String body, boolean closed) {
    if (closed && body.startsWith("env:")) {
      return variable(body.substring("env:".length()));
    }
    if (closed && body.startsWith("file:")) {
      return content(body.substring("file:".length()));
    }
    if (closed && body.equals("hostname")) {
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
      byte[] content = file.readNBytes(MOST_BYTES + 1);
      if (content.length > MOST_BYTES) {
        throw new IOException("longer than " + MOST_BYTES + " bytes");
      }
      return new String(content, StandardCharsets.UTF_8).replaceFirst("\\r?\\n\\z", "");
    } catch (IOException | RuntimeException e) {
      throw new IllegalArgumentException(
          "refers to ${file:" + path + "}, which can't be read (" + ConfigFile.cause(e) + ")", e);
    }
  }
}
