/**
 * Tells cheaply that a regular expression can't be found: {@link
 * io.duplog.deliver.route.literal.RequiredText} is what every text has that it is found in, {@link
 * io.duplog.deliver.route.literal.TextSearch} looks for those of many expressions at once.
 *
 * <p>Depends on no other package.
 */
@NullMarked
package io.duplog.deliver.route.literal;

import org.jspecify.annotations.NullMarked;
