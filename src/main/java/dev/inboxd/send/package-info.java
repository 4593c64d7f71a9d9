/**
 * Sending as an agent sees it: send and reply (contract: mail.md §6.8, §6.9, §11, §14). A message is composed and signed
 * before the transaction; one commit then makes the record, its thread and events, the queued recipients and the memory
 * of the answer (promises P2, P4, P5).
 */
@NullMarked
package dev.inboxd.send;

import org.jspecify.annotations.NullMarked;
