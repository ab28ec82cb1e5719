package io.duplog.config;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Reads a configuration file in YAML into a record, and refuses unknown, missing or duplicate keys
 * and invalid values.
 *
 * <p>A value may refer to <code>${env:NAME}</code>, <code>${hostname}</code> and <code>
 * ${file:/path}</code>, which is the file's content without the last newline. A relative path
 * begins at the configuration's folder. The text <code>$${</code> is a literal <code>${</code>.
 */
public final class ConfigLoader {
  private static final Path HOST_NAME = Path.of("/proc/sys/kernel/hostname");

  private final UnaryOperator<@Nullable String> environment;
  private final Supplier<String> hostName;

  private ConfigLoader(UnaryOperator<@Nullable String> environment, Supplier<String> hostName) {
    this.environment = environment;
    this.hostName = hostName;
  }

  /**
   * Returns a loader that resolves references with this process's environment and this host's name.
   */
  public static ConfigLoader ofSystem() {
    return new ConfigLoader(System::getenv, ConfigLoader::systemHostName);
  }

  /** Returns a loader that resolves references with the given variables and host name. */
  public static ConfigLoader of(Map<String, String> environment, String hostName) {
    return new ConfigLoader(environment::get, () -> hostName);
  }

  /**
   * Reads a file.
   *
   * @throws ConfigException with a line for each problem that was found
   */
  public <T extends Record> T load(Path file, Class<T> type) throws ConfigException {
    return bind(file.toString(), folderOf(file), ConfigFile.read(file), type, true);
  }

  /**
   * Reads some keys of another program's file, and ignores its other keys.
   *
   * @throws ConfigException with a line for each problem that was found
   */
  public <T extends Record> T loadSome(Path file, Class<T> type) throws ConfigException {
    return bind(file.toString(), folderOf(file), ConfigFile.read(file), type, false);
  }

  /**
   * Reads a configuration from a text instead of a file.
   *
   * @param name name of the text in errors
   */
  public <T extends Record> T parse(String name, String text, Class<T> type)
      throws ConfigException {
    return bind(name, Path.of(""), text, type, true);
  }

  /**
   * Returns the line of each key in a file by the key's full path, including keys in the elements
   * of lists.
   *
   * @throws ConfigException if the file can't be read or is not valid YAML
   */
  public static Map<String, Integer> lines(Path file) throws ConfigException {
    Map<String, Integer> lines = new LinkedHashMap<>();
    addLines(YamlReader.read(file.toString(), ConfigFile.read(file)), "", lines);
    return lines;
  }

  private static void addLines(
      YamlNode.Mapping section, String prefix, Map<String, Integer> lines) {
    section.entries().forEach((key, node) -> addLines(prefix + key, node, lines));
  }

  private static void addLines(String path, YamlNode node, Map<String, Integer> lines) {
    lines.put(path, node.line());
    if (node instanceof YamlNode.Mapping inner) {
      addLines(inner, path + ".", lines);
    } else if (node instanceof YamlNode.Sequence list) {
      for (int i = 0; i < list.elements().size(); i++) {
        addLines(path + "[" + i + "]", list.elements().get(i), lines);
      }
    }
  }

  private <T extends Record> T bind(
      String name, Path folder, String text, Class<T> type, boolean rejectUnknownKeys)
      throws ConfigException {
    References references = new References(environment, hostName, folder);
    return new Binder(name, references, rejectUnknownKeys).bind(YamlReader.read(name, text), type);
  }

  private static Path folderOf(Path file) {
    Path folder = file.toAbsolutePath().getParent();
    return folder == null ? file.toAbsolutePath() : folder;
  }

  /** Returns the kernel's host name, or {@code localhost} if the kernel's file can't be read. */
  private static String systemHostName() {
    try {
      return Files.readString(HOST_NAME).strip();
    } catch (IOException e) {
      return "localhost";
    }
  }
}
