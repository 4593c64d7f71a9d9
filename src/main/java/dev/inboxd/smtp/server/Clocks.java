package dev.inboxd.smtp.server;

import java.time.InstantSource;
import java.util.function.LongSupplier;

/**
 * What time it is, and how much of it has passed.
 *
 * @param wall tells the date of trace fields; it may be set
 * @param nanos goes on evenly, as {@link System#nanoTime}
 */
record Clocks(InstantSource wall, LongSupplier nanos) {}
