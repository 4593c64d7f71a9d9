/**
 * ARC (RFC 8617): the results that earlier relays found for a message, and whether their chain of seals is valid.
 * {@link dev.inboxd.mail.arc.ArcCheck} validates a chain, {@link dev.inboxd.mail.arc.ArcSealer} extends it. A valid
 * chain is reported and decides nothing, because this server does not know which relays to trust.
 */
@NullMarked
package dev.inboxd.mail.arc;

import org.jspecify.annotations.NullMarked;
