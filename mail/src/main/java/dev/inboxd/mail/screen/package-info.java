/**
 * Judges whether a mail tries to steer an AI agent that reads it. Pure code over decoded texts: linear in time, bounded
 * in memory, without regular expressions and without network. A verdict is advice; clear is no promise.
 */
@NullMarked
package dev.inboxd.mail.screen;

import org.jspecify.annotations.NullMarked;
