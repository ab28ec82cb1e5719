package io.duplog.explore;

import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Something that may happen next, in any world of the state for which it was found. A step that is
 * no fault happens sooner or later.
 *
 * @param fault fault that the step uses up; null if it is no fault
 */
record Step(@Nullable Fault fault, Function<World, String> label, Consumer<World> action) {}
