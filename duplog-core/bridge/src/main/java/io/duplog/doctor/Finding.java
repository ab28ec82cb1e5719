package io.duplog.doctor;

/**
 * One result of a check.
 *
 * @param subject what was checked, such as {@code queue duplog of syslog-a}
 * @param what state in which it was found
 * @param consequence what that will cause; empty if all is well
 * @param remedy what to change, or how to check it by hand; empty if there is nothing to do
 */
public record Finding(
    Severity severity, String subject, String what, String consequence, String remedy) {}
