/**
 * Determines how far each stream has come: its age, its lag, and whether a stream that brings
 * nothing is silent or dead.
 *
 * <p>Positions are times of the ingest nodes' clocks, and only as correct as these. A node whose
 * clock is ahead seems to have no lag. A node whose clock is behind seems to lag by as much while
 * its queue is not empty. No age or lag is negative.
 */
package io.duplog.lag;
