/**
 * A model of Splunk's HTTP Event Collector. It answers requests and indexes events. Tests use it in
 * memory, in simulated time, and behind HTTP servers.
 */
package io.duplog.collector;
