/** What an operator gets to see: counts, and conditions that begin and end. */
@NullMarked
package io.duplog.observe;

import org.jspecify.annotations.NullMarked;
