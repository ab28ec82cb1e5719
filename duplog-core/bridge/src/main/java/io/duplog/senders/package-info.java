/**
 * The inventory of senders: when each was heard first and last, on which paths, and who is silent
 * on one of them. {@link io.duplog.senders.SenderInventory} is the entrance.
 */
package io.duplog.senders;
