/**
 * ARC (RFC 8617): the authentication results of earlier relays, and whether their chain of seals holds. {@link
 * dev.inboxd.mail.arc.ArcCheck} verifies a chain, {@link dev.inboxd.mail.arc.ArcSealer} adds to it. A chain that holds
 * is reported and decides nothing, because we do not know which sealers to trust.
 */
@NullMarked
package dev.inboxd.mail.arc;

import org.jspecify.annotations.NullMarked;
