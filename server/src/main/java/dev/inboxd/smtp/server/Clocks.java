package dev.inboxd.smtp.server;

import java.time.InstantSource;
import java.util.function.LongSupplier;

/**
 * The two clocks of the server.
 *
 * @param wall date and time, for trace fields; may be adjusted
 * @param nanos monotonic nanoseconds for measuring durations, as {@link System#nanoTime}
 */
record Clocks(InstantSource wall, LongSupplier nanos) {}
