/**
 * Finds the new text of a reply: without the text that the mail program quoted (RFC 3676 §4.5 and the habits of mail
 * programs), and without signatures and footers. Pure, linear in time and bounded. The phrases of mail programs are in
 * the resource files beside these classes.
 */
@NullMarked
package dev.inboxd.mail.reply;

import org.jspecify.annotations.NullMarked;
