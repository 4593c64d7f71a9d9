/**
 * What a person sees of a mail, as CommonMark with the tables, the strikethrough and the check boxes of GFM. Nothing of
 * a mail can make structure of its own there. The rules are in the API reference (markdown.md).
 */
@NullMarked
package dev.inboxd.mail.markdown;

import org.jspecify.annotations.NullMarked;
