package io.duplog.lag;

import org.jspecify.annotations.Nullable;

/**
 * What the bridge knows of its connection to one stream.
 *
 * @param connected whether the bridge is connected to all of the stream's queues
 * @param held whether the bridge has suspended its consumers, because its sink accepts nothing
 * @param ready number of deliveries that wait in the queues; -1 if unknown
 * @param queues number of the stream's queues that this bridge reads
 * @param readers number of bridges that read these queues, as far as known; at least 1
 * @param broker the broker's name for itself; null if unknown
 */
public record Path(
    boolean connected,
    boolean held,
    long ready,
    int queues,
    int readers,
    @Nullable String broker) {}
