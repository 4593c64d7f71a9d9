/** Labels: their classes, their syntax, and what a client may change (mail.md §10). */
@NullMarked
package dev.inboxd.mailbox.label;

import org.jspecify.annotations.NullMarked;
