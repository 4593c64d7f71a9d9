/** Tests of WebSockets, feeds and waits. */
@NullMarked
package dev.inboxd.notify.stream;

import org.jspecify.annotations.NullMarked;
