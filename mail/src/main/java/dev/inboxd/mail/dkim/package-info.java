/**
 * DKIM (RFC 6376, with the algorithms of RFC 8301 and RFC 8463): signing what we send, verifying what we receive.
 *
 * <p>{@link dev.inboxd.mail.dkim.DkimSigner} signs relaxed/relaxed with RSA or Ed25519, the important fields oversigned
 * so that none can be added, an expiry and no length limit; it works over the bytes as they stream and keeps nothing
 * but the header section. {@link dev.inboxd.mail.dkim.DkimCheck} verifies what arrived in one pass over the body.
 * {@code mail.arc} is built of the same pieces.
 */
@NullMarked
package dev.inboxd.mail.dkim;

import org.jspecify.annotations.NullMarked;
