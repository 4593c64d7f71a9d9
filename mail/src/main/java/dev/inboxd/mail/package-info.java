/** Mail standards as pure code: no I/O beyond the streams given, no clock, no imports from the rest of inboxd. */
@NullMarked
package dev.inboxd.mail;

import org.jspecify.annotations.NullMarked;
