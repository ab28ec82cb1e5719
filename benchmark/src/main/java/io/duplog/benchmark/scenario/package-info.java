/**
 * The published tests, one class each, and the frame that they share: a lab, a load, a window of
 * time that is measured, and a comparison of what was sent with what was delivered.
 */
@NullMarked
package io.duplog.benchmark.scenario;

import org.jspecify.annotations.NullMarked;
