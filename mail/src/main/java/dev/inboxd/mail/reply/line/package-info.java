/**
 * The lines of a message and their kinds: written, quoted, an attribution, a divider, a header block. Text and HTML
 * have the same; what stands around a line in HTML is told from outside.
 */
@NullMarked
package dev.inboxd.mail.reply.line;

import org.jspecify.annotations.NullMarked;
