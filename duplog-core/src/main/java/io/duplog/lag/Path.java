package io.duplog.lag;

import org.jspecify.annotations.Nullable;

/**
 * What the bridge knows of its way to one stream.
 *
 * @param connected whether all of its queues are being read, or could be
 * @param held whether the bridge takes nothing at present, since its sink accepts nothing
 * @param ready deliveries that wait in its queues; -1 where nobody knows
 * @param queues how many of them this bridge reads
 * @param readers bridges that read them, as far as known; at least 1
 * @param broker what the broker calls itself; null where that is not known
 */
public record Path(
    boolean connected,
    boolean held,
    long ready,
    int queues,
    int readers,
    @Nullable String broker) {}
