/** The console: who gets in, what its pages say, and what mail cannot do there. */
@NullMarked
package dev.inboxd.console;

import org.jspecify.annotations.NullMarked;
