/** Streams of octets that Java has not: those that are made or put together as they are read. No I/O of their own. */
@NullMarked
package dev.inboxd.platform.io;

import org.jspecify.annotations.NullMarked;
