/** The part of CSS that decides whether text is seen: declarations, selectors, lengths, colours. */
@NullMarked
package dev.inboxd.mail.css;

import org.jspecify.annotations.NullMarked;
