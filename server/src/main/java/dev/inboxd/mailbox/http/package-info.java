/** The routes of messages and threads. */
@NullMarked
package dev.inboxd.mailbox.http;

import org.jspecify.annotations.NullMarked;
