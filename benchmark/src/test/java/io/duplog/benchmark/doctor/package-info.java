/** Tests the doctor together with the shim's own settings, and on a complete installation. */
package io.duplog.benchmark.doctor;
