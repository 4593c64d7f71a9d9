/** Mail that somebody hands in in development, as if it came from outside (sandbox.md §2). */
@NullMarked
package dev.inboxd.sandbox.mail;

import org.jspecify.annotations.NullMarked;
