/** The shares of the heap: how much memory each use may take. */
@NullMarked
package dev.inboxd.base.memory;

import org.jspecify.annotations.NullMarked;
