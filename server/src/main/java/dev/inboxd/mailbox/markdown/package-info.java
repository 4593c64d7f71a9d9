/** Mail as Markdown in answers: what is asked for, one message, lists, threads and files (markdown.md). */
@NullMarked
package dev.inboxd.mailbox.markdown;

import org.jspecify.annotations.NullMarked;
