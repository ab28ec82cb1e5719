package io.duplog.deliver.archive;

import java.time.Instant;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A file of the archive that is being written, or was when its bridge died. Until it is closed, its
 * name in the archive's folder says what is needed to close it.
 *
 * @param bridge the name of its bridge, as {@link ArchiveSinkConfig#wordOf} writes it
 * @param number number among the files of this bridge, from 1
 * @param begun when the file was created
 */
record ArchivePart(String bridge, long number, Instant begun, Compression compression) {
  static final String SUFFIX = ".part";

  /** Suffix of the copy that is made of a torn file. */
  private static final String COPY_SUFFIX = ".copy";

  private static final Pattern REST =
      Pattern.compile("\\.(\\d{1,15})\\.(\\d{1,15})\\.(zst|gz)\\" + SUFFIX);

  /** Returns the part with this file name, or null if the bridge has no such part. */
  static @Nullable ArchivePart of(String bridge, String fileName) {
    if (!fileName.startsWith(bridge)) {
      return null;
    }
    Matcher rest = REST.matcher(fileName.substring(bridge.length()));
    return rest.matches()
        ? new ArchivePart(
            bridge,
            Long.parseLong(rest.group(1)),
            Instant.ofEpochMilli(Long.parseLong(rest.group(2))),
            rest.group(3).equals(Compression.GZIP.suffix()) ? Compression.GZIP : Compression.ZSTD)
        : null;
  }

  String fileName() {
    return bridge + "." + number + "." + begun.toEpochMilli() + "." + compression.suffix() + SUFFIX;
  }

  String copyName() {
    return fileName() + COPY_SUFFIX;
  }
}
