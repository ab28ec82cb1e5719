package io.duplog.doctor;

/**
 * One thing that was looked at.
 *
 * @param subject what it is about: {@code queue duplog of syslog-a}
 * @param what how it is
 * @param consequence what that will cause; empty where all is well
 * @param remedy what to change, or how to check it by hand; empty where there is nothing to do
 */
public record Finding(
    Severity severity, String subject, String what, String consequence, String remedy) {}
