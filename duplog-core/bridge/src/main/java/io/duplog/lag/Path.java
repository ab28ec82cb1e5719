package io.duplog.lag;

import org.jspecify.annotations.Nullable;

/**
 * The state of this bridge's connection to one stream's queues, and the number of messages that
 * wait there.
 *
 * @param connected whether the bridge is connected to all of the stream's queues
 * @param held whether the bridge has suspended its consumers, because its sink accepts nothing
 * @param ready number of deliveries that wait in the queues, or -1 if unknown
 * @param queues number of the stream's queues that this bridge reads
 * @param readers number of bridges known to read these queues, at least 1
 * @param broker the broker's identity, or null if unknown
 */
public record Path(
    boolean connected,
    boolean held,
    long ready,
    int queues,
    int readers,
    @Nullable String broker) {}
