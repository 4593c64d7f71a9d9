/**
 * The formats of text that a mail has beside plain text and HTML (RFC 3676, RFC 1896, RFC 1341), HTML without its
 * label, and the links of HTML to its parts.
 */
@NullMarked
package dev.inboxd.mail.format;

import org.jspecify.annotations.NullMarked;
