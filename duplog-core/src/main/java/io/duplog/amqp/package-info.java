/**
 * What the shim and the bridge share of AMQP: how to connect to a broker, how to publish to it, and
 * an operator's words for its failures.
 */
@NullMarked
package io.duplog.amqp;

import org.jspecify.annotations.NullMarked;
