/**
 * A model of Splunk's HTTP Event Collector: a request goes in, an answer comes out, events are
 * indexed. Tests use it in memory, in simulated time, and behind HTTP servers.
 */
package io.duplog.collector;
