/** Shows messages on their way to the sink to watching readers, without delaying them. */
package io.duplog.deliver.tap;
