/**
 * The inventory of senders: when each sender was first and last heard, on which paths, and which
 * senders are silent on a path. Start reading at {@link io.duplog.senders.SenderInventory}.
 */
package io.duplog.senders;
