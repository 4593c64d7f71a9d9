/**
 * Text of a mail within a block of Markdown: its characters, its emphasis, its links, and the backslashes before what a
 * reader would take for structure (CommonMark 0.31 §2.4). Pure; time is in proportion to the text.
 */
@NullMarked
package dev.inboxd.mail.markdown.inline;

import org.jspecify.annotations.NullMarked;
