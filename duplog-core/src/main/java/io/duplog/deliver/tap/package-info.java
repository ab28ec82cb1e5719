/** Shows what goes to the sink to who watches, and holds up nothing for that. */
@NullMarked
package io.duplog.deliver.tap;

import org.jspecify.annotations.NullMarked;
