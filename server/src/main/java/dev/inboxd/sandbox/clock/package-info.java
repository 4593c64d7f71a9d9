/** {@code /sandbox/clock}: the clock of a server in development, and its walks (sandbox.md §5). */
@NullMarked
package dev.inboxd.sandbox.clock;

import org.jspecify.annotations.NullMarked;
