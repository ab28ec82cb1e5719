/**
 * Examines an installation from outside. Reports what is wrong with it, what that will cause, and
 * what to change. Each {@link io.duplog.doctor.Check} has one subject. None affects a running
 * program, unless a canary was requested.
 */
package io.duplog.doctor;
