/**
 * A stand-in for Splunk: the model of its collector behind HTTP, with faults that another process
 * controls.
 */
package io.duplog.benchmark.hec;
