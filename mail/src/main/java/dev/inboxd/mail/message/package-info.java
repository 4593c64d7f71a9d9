/**
 * Reading received mail: RFC 5322 (fields), RFC 2045 to 2049 (MIME), RFC 2047 (encoded words), RFC 2231 (parameters),
 * RFC 2183 (dispositions), RFC 2392 (content ids). Nothing here fails on content: what is too much or ambiguous is cut,
 * read in the strictest way and named by a {@link dev.inboxd.mail.message.Defect}.
 *
 * <p>The way of a message: {@code MimeInput} finds the delimiters in one pass, {@code HeaderBlock} cuts out a header,
 * {@code EntityWalk} visits the leaves of the tree, {@link dev.inboxd.mail.message.MessageParser} decides what is body
 * and what attachment, and {@link dev.inboxd.mail.message.PartReader} streams one part again later. {@link
 * dev.inboxd.mail.message.EntityLocator} gives the position of the bodies, for rewriting a message.
 */
@NullMarked
package dev.inboxd.mail.message;

import org.jspecify.annotations.NullMarked;
