/** Mail at the console: inboxes, conversations, who vouches for a message, and its formatted text at another origin. */
@NullMarked
package dev.inboxd.console.mail;

import org.jspecify.annotations.NullMarked;
