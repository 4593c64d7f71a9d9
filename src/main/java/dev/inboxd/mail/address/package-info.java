/**
 * Mail addresses: RFC 5322 §3.4 (as they stand in headers), RFC 5321 §4.1.2 (as SMTP takes them), RFC 6531 (beyond
 * ASCII).
 * Strict where we are the ones asked ({@link dev.inboxd.mail.address.AddrSpec}, {@link
 * dev.inboxd.mail.address.AddressList}),
 * lenient where old mail must be shown ({@link dev.inboxd.mail.address.AddressHeader}). Everyone may call it.
 */
@NullMarked
package dev.inboxd.mail.address;

import org.jspecify.annotations.NullMarked;
