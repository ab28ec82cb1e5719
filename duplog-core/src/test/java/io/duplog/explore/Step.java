package io.duplog.explore;

import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Something that may happen next, in any world of the state that it was found in. Steps that are no
 * fault do happen, sooner or later.
 *
 * @param fault what it costs; null where it is none
 */
record Step(@Nullable Fault fault, Function<World, String> label, Consumer<World> action) {}
