/** Streams that Java lacks: their octets are generated or joined while they are read. No I/O of their own. */
@NullMarked
package dev.inboxd.platform.io;

import org.jspecify.annotations.NullMarked;
