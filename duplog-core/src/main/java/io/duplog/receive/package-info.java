/** Takes deliveries from the streams' brokers and acknowledges them. */
@NullMarked
package io.duplog.receive;

import org.jspecify.annotations.NullMarked;
