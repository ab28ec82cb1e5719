/**
 * What a user would take instead of Duplog, as real servers under the same load; and loggen, the
 * generator of the published test of SC4S.
 */
@NullMarked
package io.duplog.benchmark.peer;

import org.jspecify.annotations.NullMarked;
