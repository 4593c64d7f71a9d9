/** Streams that the JDK lacks: generated or bounded as they are read. No I/O of their own. */
@NullMarked
package dev.inboxd.mail.io;

import org.jspecify.annotations.NullMarked;
