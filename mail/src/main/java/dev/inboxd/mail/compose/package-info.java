/**
 * Composing mail: a {@link dev.inboxd.mail.compose.Composition} becomes the exact bytes that leave.
 *
 * <p>RFC 5322 (fields), RFC 2045 to 2049 (MIME), RFC 2047 (encoded words), RFC 2231 (parameters), RFC 2392 (content
 * ids), RFC 5321 §4.5.3.1.6 (line limit), RFC 6532 (UTF-8 addresses). The bytes depend on the composition alone, so a
 * message may be written again at any time. A message that a client composed gets another header ({@link
 * dev.inboxd.mail.compose.RawHeader}) and 7-bit bodies ({@link dev.inboxd.mail.compose.SevenBitConversion}). Nothing a
 * caller supplies can open a header field of its own.
 */
@NullMarked
package dev.inboxd.mail.compose;

import org.jspecify.annotations.NullMarked;
