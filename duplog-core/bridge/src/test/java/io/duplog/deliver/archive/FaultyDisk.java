package io.duplog.deliver.archive;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Creates real files whose writes and syncs fail while a test wants it. */
final class FaultyDisk implements ArchiveFolder.Creator {
  @Nullable IOException onCreate;
  @Nullable IOException onWrite;
  @Nullable IOException onForce;
  int forces;

  /** Number of bytes that a failing write still takes. */
  int writesBeforeFailure;

  @Override
  public FileChannel create(Path path) throws IOException {
    if (onCreate != null) {
      throw onCreate;
    }
    return new Channel(ArchiveFolder.Creator.onDisk(path));
  }

  private final class Channel extends FileChannel {
    private final FileChannel real;

    Channel(FileChannel real) {
      this.real = real;
    }

    @Override
    public int write(ByteBuffer bytes, long position) throws IOException {
      if (onWrite == null) {
        return real.write(bytes, position);
      }
      ByteBuffer begin = bytes.slice();
      begin.limit(Math.min(begin.limit(), writesBeforeFailure));
      real.write(begin, position);
      throw onWrite;
    }

    @Override
    public void force(boolean metaData) throws IOException {
      forces++;
      if (onForce != null) {
        throw onForce;
      }
      real.force(metaData);
    }

    @Override
    public FileChannel truncate(long size) throws IOException {
      real.truncate(size);
      return this;
    }

    @Override
    public long size() throws IOException {
      return real.size();
    }

    @Override
    protected void implCloseChannel() throws IOException {
      real.close();
    }

    @Override
    public int read(ByteBuffer bytes) {
      throw new UnsupportedOperationException();
    }

    @Override
    public long read(ByteBuffer[] bytes, int offset, int length) {
      throw new UnsupportedOperationException();
    }

    @Override
    public int read(ByteBuffer bytes, long position) {
      throw new UnsupportedOperationException();
    }

    @Override
    public int write(ByteBuffer bytes) {
      throw new UnsupportedOperationException();
    }

    @Override
    public long write(ByteBuffer[] bytes, int offset, int length) {
      throw new UnsupportedOperationException();
    }

    @Override
    public long position() {
      throw new UnsupportedOperationException();
    }

    @Override
    public FileChannel position(long position) {
      throw new UnsupportedOperationException();
    }

    @Override
    public long transferTo(long position, long count, WritableByteChannel target) {
      throw new UnsupportedOperationException();
    }

    @Override
    public long transferFrom(ReadableByteChannel source, long position, long count) {
      throw new UnsupportedOperationException();
    }

    @Override
    public MappedByteBuffer map(MapMode mode, long position, long size) {
      throw new UnsupportedOperationException();
    }

    @Override
    public FileLock lock(long position, long size, boolean shared) {
      throw new UnsupportedOperationException();
    }

    @Override
    public FileLock tryLock(long position, long size, boolean shared) {
      throw new UnsupportedOperationException();
    }
  }
}
