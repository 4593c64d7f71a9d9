/**
 * DKIM (RFC 6376, with the algorithms of RFC 8301 and RFC 8463): signing sent mail, verifying received mail.
 *
 * <p>{@link dev.inboxd.mail.dkim.DkimSigner} signs relaxed/relaxed with RSA or Ed25519. The important fields are
 * oversigned so that none can be added; there is an expiry and no length limit. It works over the bytes as they stream
 * and stores only the header section. {@link dev.inboxd.mail.dkim.DkimCheck} verifies a received message in one pass
 * over the body. {@code mail.arc} uses the same classes.
 */
@NullMarked
package dev.inboxd.mail.dkim;

import org.jspecify.annotations.NullMarked;
