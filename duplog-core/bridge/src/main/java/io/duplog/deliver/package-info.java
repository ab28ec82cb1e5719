/** Delivers messages to a sink. Each kind of sink has its own subpackage. */
package io.duplog.deliver;
