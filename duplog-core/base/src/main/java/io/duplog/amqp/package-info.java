/**
 * The AMQP code that shim and bridge share: connecting to a broker, publishing to it, and
 * describing its failures to an operator.
 */
package io.duplog.amqp;
