package io.duplog.dedup;

/** 128 bits of a collision-resistant hash of a message's identity. */
public record Digest(long high, long low) {}
