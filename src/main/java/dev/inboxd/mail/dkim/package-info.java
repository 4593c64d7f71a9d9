/**
 * DKIM: signing what we send (RFC 6376, with the algorithms of RFC 8301).
 *
 * <p>rsa-sha256 with 2,048 bits, relaxed/relaxed, the important fields oversigned so that none can be added, an expiry
 * and no length limit. Works over the bytes as they stream; keeps nothing but the header section. Called by the send
 * pipeline.
 */
@NullMarked
package dev.inboxd.mail.dkim;

import org.jspecify.annotations.NullMarked;
