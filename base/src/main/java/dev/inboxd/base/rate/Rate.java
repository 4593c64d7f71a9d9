package dev.inboxd.base.rate;

import java.time.Duration;

/**
 * A rate: a token bucket.
 *
 * @param name its name in the setting {@code INBOXD_LIMITS} and in answers
 * @param amount units per window, on average
 * @param window the window
 * @param burst units at once, after a pause
 */
public record Rate(String name, int amount, Duration window, int burst) {
    /** A rate whose burst is the amount of a whole window. */
    public static Rate of(String name, int amount, Duration window) {
        return new Rate(name, amount, window, amount);
    }

    /** The same rate with another burst; an unlimited one stays so. */
    Rate burst(int newBurst) {
        return isUnlimited() ? this : new Rate(name, amount, window, Math.max(1, newBurst));
    }

    boolean isUnlimited() {
        return amount == Integer.MAX_VALUE;
    }

    boolean isNothing() {
        return amount == 0;
    }

    /** Microseconds in which one unit is refilled. */
    long step() {
        return Math.max(1, window.toNanos() / 1_000 / amount);
    }

    /** Units of one lease from the database. */
    int share() {
        return Math.max(1, burst / 10);
    }
}
