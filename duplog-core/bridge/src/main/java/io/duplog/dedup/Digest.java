package io.duplog.dedup;

/** First 128 bits of the SHA-256 hash of the parts of a message that {@link Identity} names. */
public record Digest(long high, long low) {}
