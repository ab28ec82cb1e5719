/**
 * Looks at an installation from outside, and says what is wrong with it, what that will cause, and
 * what to change. Each {@link io.duplog.doctor.Check} has one subject; none affects a running
 * program, unless a canary was asked for.
 */
package io.duplog.doctor;
