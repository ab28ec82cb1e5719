package io.duplog.dedup;

/**
 * The first 128 bits of the SHA-256 hash of those parts of a message that {@link Identity} names.
 */
public record Digest(long high, long low) {}
