package io.duplog.benchmark.lab;

import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.CodeSource;

/**
 * The two programs that a lab runs.
 *
 * @param bridge {@code duplog.jar}
 * @param shim {@code duplog-ingest.jar}
 */
public record LabJars(Path bridge, Path shim) {

  /** Those that were built in the same checkout as this program. */
  public static LabJars ofThisBuild() throws LabException {
    Path checkout = checkout();
    LabJars jars =
        new LabJars(
            checkout.resolve("duplog-core/target/duplog.jar"),
            checkout.resolve("duplog-ingest/target/duplog-ingest.jar"));
    for (Path jar : new Path[] {jars.bridge, jars.shim}) {
      if (!Files.isReadable(jar)) {
        throw new LabException(jar + " is missing: build it with 'mvn -B -DskipTests package'");
      }
    }
    return jars;
  }

  /**
   * The directory above {@code benchmark}, which this class was loaded from.
   *
   * @throws LabException if it was copied elsewhere
   */
  public static Path checkout() throws LabException {
    CodeSource source = LabJars.class.getProtectionDomain().getCodeSource();
    try {
      Path path = Path.of(source.getLocation().toURI());
      while (path != null) {
        Path above = path.getParent();
        if (path.endsWith("benchmark") && above != null) {
          return above;
        }
        path = above;
      }
    } catch (URISyntaxException e) {
      throw new LabException("can't tell where this program is: " + e.getMessage(), e);
    }
    throw new LabException(
        source.getLocation()
            + " is not in the folder benchmark of a checkout, where the lab looks for"
            + " the other programs");
  }
}
