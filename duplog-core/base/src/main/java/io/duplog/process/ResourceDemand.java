package io.duplog.process;

/**
 * The threads, files and memory that a program needs with its current configuration.
 *
 * @param threads number of threads when all connections are established
 * @param mostThreads maximum number of threads, while connections are closing and requests are in
 *     progress
 * @param files number of descriptors of files and connections
 * @param heapBytes heap memory when all bounded buffers are full
 */
public record ResourceDemand(long threads, long mostThreads, long files, long heapBytes) {
  /** Memory that Java uses in addition to heap and threads. */
  private static final long JAVA_BYTES = 150L << 20;

  /**
   * Memory outside the heap for a thread and the connection that it serves; measured values are 60
   * to 100 KiB.
   */
  private static final long THREAD_BYTES = 64L << 10;

  /** Returns the memory of the whole process in bytes, for a heap of the given size. */
  public long memoryBytes(long maxHeapBytes) {
    return maxHeapBytes + JAVA_BYTES + mostThreads * THREAD_BYTES;
  }
}
