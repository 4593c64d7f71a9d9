/** A clock that can be moved, for development and tests. In production nothing here is constructed. */
@NullMarked
package dev.inboxd.base.time;

import org.jspecify.annotations.NullMarked;
