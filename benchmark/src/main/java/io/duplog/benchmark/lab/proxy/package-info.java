/**
 * A TCP proxy between the programs and servers of a lab, which makes the network fail on request.
 */
package io.duplog.benchmark.lab.proxy;
