/**
 * Finds what the sender of a message wrote anew: without what the mail program quoted (RFC 3676 §4.5 and whatever
 * programs do instead), and without what is put below every mail. Pure, linear in time and bounded; everyone may call
 * it. What mail programs write is in the resource files beside these classes.
 */
@NullMarked
package dev.inboxd.mail.reply;

import org.jspecify.annotations.NullMarked;
