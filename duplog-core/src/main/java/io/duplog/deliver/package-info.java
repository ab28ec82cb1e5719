/** Delivers messages to a sink. Each kind of sink has a subpackage. */
@NullMarked
package io.duplog.deliver;

import org.jspecify.annotations.NullMarked;
