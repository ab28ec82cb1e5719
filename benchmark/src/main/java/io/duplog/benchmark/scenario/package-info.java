/**
 * The published tests, one class for each, and their common parts. Each test has a lab, a load, a
 * measured window of time, and a comparison of the sent messages with the delivered ones.
 */
package io.duplog.benchmark.scenario;
