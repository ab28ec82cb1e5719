/** Delivers messages to a sink. Each kind of sink has a subpackage. */
package io.duplog.deliver;
