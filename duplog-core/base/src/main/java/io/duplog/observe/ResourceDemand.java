package io.duplog.observe;

/**
 * What a program needs of its host, by its configuration.
 *
 * @param threads that it has as soon as everything is connected
 * @param mostThreads that it may have, while connections end and requests are under way
 * @param files descriptors of files and connections
 * @param heapBytes of Java's heap, when everything that has a bound is full
 */
public record ResourceDemand(long threads, long mostThreads, long files, long heapBytes) {
  /** Memory of Java besides heap and threads, in bytes. */
  private static final long JAVA_BYTES = 150L << 20;

  /** Memory that a thread and what it serves take besides the heap, in bytes; 60 to 100 KiB. */
  private static final long THREAD_BYTES = 64L << 10;

  /** Returns the memory of the whole process in bytes, with a heap of this size. */
  public long memoryBytes(long heap) {
    return heap + JAVA_BYTES + mostThreads * THREAD_BYTES;
  }
}
