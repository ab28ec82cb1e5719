package io.duplog.benchmark.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableList;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;

/** Finds the packages of this build, and makes later versions of them. */
enum DebianPackage {
  BRIDGE("duplog-bridge", "duplog-core"),
  INGEST("duplog-ingest", "duplog-ingest");

  /** Version of the tests' own rebuilds: higher than any of ours, and nothing else differs. */
  private static final String LATER = "99";

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
    return only("_*_all.deb");
  }

  /** Returns the RPM, which holds the same files for Red Hat's family. */
  Path rpm() {
    return only("-*.noarch.rpm");
  }

  /** Returns the archive with the same files for other systems. */
  Path archive() {
    return only("-*.tar.gz");
  }

  private Path only(String pattern) {
    Path target = Path.of("..", module, "target").toAbsolutePath().normalize();
    try (DirectoryStream<Path> found = Files.newDirectoryStream(target, title + pattern)) {
      ImmutableList<Path> files = ImmutableList.copyOf(found);
      assertThat(files).as("%s%s in %s", title, pattern, target).hasSize(1);
      return files.get(0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Puts the package on a host, and beside it a later version of it. */
  void copyTo(SystemdHost host) {
    host.copyIn(file(), "/root/" + title + ".deb");
    host.shell(
        """
        cd /root && dpkg-deb -R %1$s.deb %1$s && sed -i 's/^Version: .*/Version: %2$s/' %1$s/DEBIAN/control &&
        dpkg-deb -Znone --root-owner-group -b %1$s %1$s-later.deb && rm -r %1$s
        """
            .formatted(title, LATER));
  }

  /** Returns where {@link #copyTo} has put this build's package. */
  String deb() {
    return "/root/" + title + ".deb";
  }

  /** Returns where {@link #copyTo} has put the later package. */
  String laterDeb() {
    return "/root/" + title + "-later.deb";
  }

  static String laterVersion() {
    return LATER;
  }
}
