/**
 * Parsing received mail: RFC 5322 (fields), RFC 2045 to 2049 (MIME), RFC 2047 (encoded words), RFC 2231 (parameters),
 * RFC 2183 (dispositions), RFC 2392 (content ids). Nothing here fails on content: excess is cut, ambiguities are read
 * in the strictest way, and a {@link dev.inboxd.mail.message.Defect} names each.
 *
 * <p>The way of a message: {@code MimeInput} finds the delimiters in one pass, {@code HeaderBlock} reads a header,
 * {@code EntityWalk} visits the leaves of the tree, {@link dev.inboxd.mail.message.MessageParser} sorts body and
 * attachments, and {@link dev.inboxd.mail.message.PartReader} streams one part again later. {@link
 * dev.inboxd.mail.message.EntityLocator} finds the bodies of a message that is to be encoded anew.
 */
@NullMarked
package dev.inboxd.mail.message;

import org.jspecify.annotations.NullMarked;
