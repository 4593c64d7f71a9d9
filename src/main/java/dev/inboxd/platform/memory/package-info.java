/** How the heap of the process is divided. */
@NullMarked
package dev.inboxd.platform.memory;

import org.jspecify.annotations.NullMarked;
