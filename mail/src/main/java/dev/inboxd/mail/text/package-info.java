/** Readable text from the parts of a message: HTML as plain text, previews. Pure. */
@NullMarked
package dev.inboxd.mail.text;

import org.jspecify.annotations.NullMarked;
