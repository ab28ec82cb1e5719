/** Shows messages on their way to the sink to readers that watch, without holding them up. */
@NullMarked
package io.duplog.deliver.tap;

import org.jspecify.annotations.NullMarked;
