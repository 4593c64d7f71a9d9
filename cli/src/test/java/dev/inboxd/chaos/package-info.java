/**
 * The crash harness (promises P1, P2, P6, P16): the service runs as users run it, in a process of its own, under mail
 * and HTTP load, and is killed again and again. A ledger holds what it acknowledged. {@code suite/chaos/run} starts it.
 */
@NullMarked
package dev.inboxd.chaos;

import org.jspecify.annotations.NullMarked;
