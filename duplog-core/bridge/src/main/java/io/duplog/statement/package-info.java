/**
 * Statements of completeness: what the deployment did in each hour, in a chain of signed lines.
 * Each bridge notes what became of the copies that it received ({@link
 * io.duplog.statement.BridgePart}). Once an hour is settled, one of them puts these notes and the
 * comparison of the streams into the chain, and all of them keep it as files.
 *
 * @see "docs/decisions/statements.md#statements"
 */
package io.duplog.statement;
