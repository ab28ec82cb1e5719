/**
 * A stand-in for Splunk's HTTP Event Collector. It answers as Splunk does, stores the events that
 * it indexes, and produces the faults that a test or a benchmark asks for.
 */
package io.duplog.benchmark.hec;
