/**
 * Creates statements of completeness: the deployment's counts in each hour, in a chain of signed
 * lines. Each bridge records what became of the copies that it received ({@link
 * io.duplog.statement.BridgePart}). Once an hour is settled, one bridge adds these records and the
 * comparison of the streams to the chain, and all bridges store it as files.
 *
 * @see "docs/decisions/statements.md#statements"
 */
package io.duplog.statement;
