package io.duplog.benchmark.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableList;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Finds the Debian packages of this build for tests of installing, and creates later versions of
 * them for tests of upgrading.
 */
enum DebianPackage {
  BRIDGE("duplog-bridge", "duplog-core"),
  INGEST("duplog-ingest", "duplog-ingest");

  /**
   * Version of the tests' own rebuilds, higher than any real one. The content is otherwise the
   * same.
   */
  private static final String LATER_VERSION = "99";

  private final String title;
  private final String module;

  DebianPackage(String title, String module) {
    this.title = title;
    this.module = module;
  }

  String title() {
    return title;
  }

  /** Returns the package, as the build made it. */
  Path file() {
    return findOnly("_*_all.deb");
  }

  /** Returns the RPM, which contains the same files for Red Hat's family. */
  Path rpm() {
    return findOnly("-*.noarch.rpm");
  }

  /** Returns the archive with the same files for other systems. */
  Path archive() {
    return findOnly("-*.tar.gz");
  }

  private Path findOnly(String pattern) {
    Path target = Path.of("..", module, "target").toAbsolutePath().normalize();
    try (DirectoryStream<Path> candidates = Files.newDirectoryStream(target, title + pattern)) {
      ImmutableList<Path> files = ImmutableList.copyOf(candidates);
      assertThat(files).as("%s%s in %s", title, pattern, target).hasSize(1);
      return files.get(0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Copies the package, also as a later version, to a host. */
  void copyTo(SystemdHost host) {
    host.copyIn(file(), "/root/" + title + ".deb");
    host.shell(
        """
        cd /root && dpkg-deb -R %1$s.deb %1$s && sed -i 's/^Version: .*/Version: %2$s/' %1$s/DEBIAN/control &&
        dpkg-deb -Znone --root-owner-group -b %1$s %1$s-later.deb && rm -r %1$s
        """
            .formatted(title, LATER_VERSION));
  }

  /** Returns the path of this build's package on a host, after {@link #copyTo}. */
  String deb() {
    return "/root/" + title + ".deb";
  }

  /** Returns the path of the later package on a host, after {@link #copyTo}. */
  String laterDeb() {
    return "/root/" + title + "-later.deb";
  }

  static String laterVersion() {
    return LATER_VERSION;
  }
}
