package io.duplog.benchmark.lab;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.common.base.Splitter;
import com.google.common.io.Resources;
import io.duplog.rig.LabException;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The jars of the bridge and the shim that a lab runs.
 *
 * @param bridge path of {@code duplog.jar}
 * @param shim path of {@code duplog-ingest.jar}
 */
public record LabJars(Path bridge, Path shim) {
  private static final Pattern JAVA_OPTIONS = Pattern.compile("(?m)^\\w+_JAVA_OPTS=\"(.+)\"");

  /** Returns the jars that were built in the same checkout as this program. */
  public static LabJars ofThisBuild() throws LabException {
    return of(null, null);
  }

  /**
   * Returns the given jars. A missing one is replaced with the jar of this program's checkout.
   *
   * @param bridge null for the jar of this program's checkout
   * @param shim null for the jar of this program's checkout
   * @throws LabException if a jar does not exist or can't be read
   */
  public static LabJars of(@Nullable Path bridge, @Nullable Path shim) throws LabException {
    return new LabJars(
        bridge == null ? requireBuilt("duplog-core/target/duplog.jar") : requireReadable(bridge),
        shim == null
            ? requireBuilt("duplog-ingest/target/duplog-ingest.jar")
            : requireReadable(shim));
  }

  private static Path requireBuilt(String path) throws LabException {
    Path jar = checkout().resolve(path);
    if (!Files.isReadable(jar)) {
      throw new LabException(jar + " is missing: build it with 'mvn -B -DskipTests package'");
    }
    return jar;
  }

  /** Returns the absolute path of a jar, because servers run in their own directories. */
  private static Path requireReadable(Path jar) throws LabException {
    if (!Files.isReadable(jar)) {
      throw new LabException(jar + " does not exist or can't be read");
    }
    return jar.toAbsolutePath().normalize();
  }

  /**
   * Returns the root directory of the checkout from which this class was loaded.
   *
   * @throws LabException if the class was not loaded from the folder {@code benchmark} of a
   *     checkout
   */
  public static Path checkout() throws LabException {
    CodeSource source = LabJars.class.getProtectionDomain().getCodeSource();
    try {
      Path start = Path.of(source.getLocation().toURI());
      for (Path path = start; path != null; path = path.getParent()) {
        if (path.endsWith("benchmark")) {
          return path.resolveSibling("");
        }
      }
    } catch (URISyntaxException e) {
      throw new LabException("can't determine this program's folder: " + e.getMessage(), e);
    }
    throw new LabException(
        source.getLocation()
            + " is not in the folder benchmark of a checkout, where the lab looks for"
            + " the other programs");
  }

  /**
   * Returns Java's arguments for another program on this class path.
   *
   * @param main the class with the program's {@code main}
   * @param arguments the program's arguments
   */
  static List<String> program(Class<?> main, List<Integer> arguments) {
    List<String> command = new ArrayList<>(List.of("-cp", classPath(), main.getName()));
    arguments.forEach(each -> command.add(each.toString()));
    return command;
  }

  /**
   * Returns the class path of this program. Its entries are absolute, for processes with other
   * working directories.
   */
  static String classPath() {
    return Splitter.on(File.pathSeparatorChar)
        .splitToStream(System.getProperty("java.class.path"))
        .map(entry -> Path.of(entry).toAbsolutePath().toString())
        .collect(Collectors.joining(File.pathSeparator));
  }

  /**
   * Returns the Java options with which the packages start a program.
   *
   * @param script name of the package's start script, such as {@code duplog}
   */
  static List<String> javaOptions(String script) {
    return JAVA_OPTIONS
        .matcher(text(script))
        .results()
        .flatMap(options -> Splitter.on(' ').splitToStream(options.group(1)))
        .toList();
  }

  /**
   * Returns the content of a resource that the build put next to this class.
   *
   * @throws IllegalArgumentException if there is no resource of this name
   */
  static String text(String name) {
    try {
      return Resources.toString(Resources.getResource(LabJars.class, name), UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
