/**
 * Looks at an installation from outside, and says what is wrong with it, what that will cause, and
 * what to change. Each {@link io.duplog.doctor.Check} asks about one thing; none of them touches
 * what runs, unless it was asked for a canary.
 */
@NullMarked
package io.duplog.doctor;

import org.jspecify.annotations.NullMarked;
