/**
 * Mail addresses: RFC 5322 §3.4 (in headers), RFC 5321 §4.1.2 (in SMTP), RFC 6531 (beyond ASCII). Strict for input of
 * our clients ({@link dev.inboxd.mail.address.AddrSpec}, {@link dev.inboxd.mail.address.AddressList}), lenient for
 * received mail ({@link dev.inboxd.mail.address.AddressHeader}).
 */
@NullMarked
package dev.inboxd.mail.address;

import org.jspecify.annotations.NullMarked;
