/**
 * Turns messages into the bodies of requests for Splunk's HTTP Event Collector: as JSON events or
 * raw lines.
 */
package io.duplog.deliver.hec.event;
