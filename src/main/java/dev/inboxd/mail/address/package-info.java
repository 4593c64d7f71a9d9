/**
 * Mail addresses: RFC 5322 §3.4 (in header fields), RFC 5321 §4.1.2 (in SMTP), RFC 6531 (beyond ASCII). Strict for
 * requests ({@link dev.inboxd.mail.address.AddrSpec}, {@link dev.inboxd.mail.address.AddressList}), lenient for
 * received mail, which must be shown ({@link dev.inboxd.mail.address.AddressHeader}). Every package may use this one.
 */
@NullMarked
package dev.inboxd.mail.address;

import org.jspecify.annotations.NullMarked;
