/**
 * ARC (RFC 8617): what relays before us found out about a message, and whether their chain of seals holds. {@link
 * dev.inboxd.mail.arc.ArcCheck} verifies a chain, {@link dev.inboxd.mail.arc.ArcSealer} adds to it. A chain that holds is
 * told and decides nothing: whom to believe is not ours to know.
 */
@NullMarked
package dev.inboxd.mail.arc;

import org.jspecify.annotations.NullMarked;
