/** Mail standards as pure code: no I/O beyond the given streams, no clock, no imports from the server. */
@NullMarked
package dev.inboxd.mail;

import org.jspecify.annotations.NullMarked;
