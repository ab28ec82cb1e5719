package io.duplog.doctor;

/**
 * One result of a doctor's check: the state of the subject, its consequence and its remedy.
 *
 * @param subject what was checked, such as {@code queue duplog of syslog-a}
 * @param what the state of the subject
 * @param consequence what the state will cause, or empty if there is no problem
 * @param remedy what to change, or how to check it manually, or empty if there is nothing to do
 */
public record Finding(
    Severity severity, String subject, String what, String consequence, String remedy) {}
