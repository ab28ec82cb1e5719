/**
 * The published tests, one class for each, and what they share: a lab, a load, a measured window of
 * time, and a comparison of what was sent with what was delivered.
 */
package io.duplog.benchmark.scenario;
