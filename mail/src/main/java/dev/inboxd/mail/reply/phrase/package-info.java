/** Phrases of mail programs in all languages, and how they are found in a text. */
@NullMarked
package dev.inboxd.mail.reply.phrase;

import org.jspecify.annotations.NullMarked;
