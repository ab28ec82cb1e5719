/** Tests the doctor beside what it checks: the shim's own settings, and a whole installation. */
package io.duplog.benchmark.doctor;
