/**
 * A ledger in the memory of this process. A bridge uses it while Redis is unavailable, and tests
 * use it in place of Redis. Both ledgers pass the same contract tests.
 */
package io.duplog.dedup.memory;
