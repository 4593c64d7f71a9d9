/** Hostile input for every parser: a short run in the tests, a long one with coverage by {@code suite/fuzz/long}. */
@NullMarked
package dev.inboxd.fuzz;

import org.jspecify.annotations.NullMarked;
