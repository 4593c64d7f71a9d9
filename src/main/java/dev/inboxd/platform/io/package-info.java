/** Streams that the JDK lacks: generated, concatenated or bounded as they are read. No I/O of their own. */
@NullMarked
package dev.inboxd.platform.io;

import org.jspecify.annotations.NullMarked;
