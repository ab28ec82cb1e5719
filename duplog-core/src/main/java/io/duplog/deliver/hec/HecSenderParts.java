package io.duplog.deliver.hec;

import io.duplog.deliver.hec.event.Gzip;
import io.duplog.observe.Backoff;
import org.jspecify.annotations.Nullable;

/**
 * What a sender is made of; all but the first three are its own.
 *
 * @param gzip null where bodies are sent as they are
 * @param channels what waits for the indexers' acknowledgement; null where receipt is enough
 * @param channel of all requests, where acknowledgement has none for them; null for none
 */
record HecSenderParts(
    Endpoint endpoint,
    SendQueue queue,
    AnswerCounts answers,
    Connection connection,
    Request request,
    ResponseHandler responses,
    Backoff slowDowns,
    @Nullable Gzip gzip,
    @Nullable Channels channels,
    @Nullable String channel) {}
