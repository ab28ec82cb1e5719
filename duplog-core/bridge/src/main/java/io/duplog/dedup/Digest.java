package io.duplog.dedup;

/** The identity of a message as 128 bits of SHA-256; copies of one message have the same digest. */
public record Digest(long high, long low) {}
