/**
 * Finds out cheaply that a regular expression can't match: {@link
 * io.duplog.deliver.route.literal.RequiredText} has the texts that a match requires, {@link
 * io.duplog.deliver.route.literal.TextSearch} searches for those of many expressions at once.
 *
 * <p>Depends on no other package.
 */
package io.duplog.deliver.route.literal;
