/**
 * The tools that tests of every module share: what a class logs, certificates, the steps of a test
 * in words, and the rules of the architecture.
 */
package io.duplog.testkit;
