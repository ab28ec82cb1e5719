/**
 * A stand-in for Splunk's HTTP Event Collector: it answers as Splunk does, keeps what it indexed,
 * and fails in every way that a test or a benchmark asks for.
 */
@NullMarked
package io.duplog.benchmark.hec;

import org.jspecify.annotations.NullMarked;
