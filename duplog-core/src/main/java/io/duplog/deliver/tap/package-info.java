/** Shows messages on their way to the sink to watching readers, without delaying them. */
@NullMarked
package io.duplog.deliver.tap;

import org.jspecify.annotations.NullMarked;
