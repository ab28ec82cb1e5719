/** Feeds seeded nonsense to whatever reads what others wrote, and holds it to its contract. */
@NullMarked
package io.duplog.benchmark.fuzz;

import org.jspecify.annotations.NullMarked;
