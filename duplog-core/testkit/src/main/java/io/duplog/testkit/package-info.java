/**
 * The tools that tests of every module share: the log of a class, certificates, the steps of a test
 * as text, and the architecture rules.
 */
package io.duplog.testkit;
