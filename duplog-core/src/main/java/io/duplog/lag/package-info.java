/**
 * How far each stream has come: its age, its lag, and whether a stream that brings nothing is
 * silent or dead.
 *
 * <p>Positions are times by the ingest nodes' clocks, and so as true as these are: a node whose
 * clock is ahead seems to have no lag, one whose clock is behind seems to lag by as much while its
 * queue is not empty. Nothing here goes below zero.
 */
@NullMarked
package io.duplog.lag;

import org.jspecify.annotations.NullMarked;
