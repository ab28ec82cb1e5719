/**
 * A ledger in the memory of this process. A bridge uses it while Redis is away, and tests use it in
 * place of Redis. The same contract tests run on both ledgers.
 */
package io.duplog.dedup.memory;
