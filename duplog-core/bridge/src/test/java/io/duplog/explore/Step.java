package io.duplog.explore;

import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * An event that may happen next in a simulated world, such as a delivery or a fault. The explorer
 * tries every such event. A step that is no fault happens sooner or later.
 *
 * @param fault fault that the step uses up; null if it is no fault
 */
record Step(@Nullable Fault fault, Function<World, String> label, Consumer<World> action) {}
