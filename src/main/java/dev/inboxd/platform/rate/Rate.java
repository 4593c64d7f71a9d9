package dev.inboxd.platform.rate;

import java.time.Duration;

/**
 * How often something may be done.
 *
 * @param name how the setting {@code INBOXD_LIMITS} and answers name it
 * @param amount so often within the window, on average
 * @param window over which it is counted
 * @param burst so often at once, after a pause
 */
public record Rate(String name, int amount, Duration window, int burst) {
    /** That often within a window, all of it at once if need be. */
    public static Rate of(String name, int amount, Duration window) {
        return new Rate(name, amount, window, amount);
    }

    /** The same rate with another burst; an unlimited one stays so. */
    Rate burst(int other) {
        return isUnlimited() ? this : new Rate(name, amount, window, Math.max(1, other));
    }

    boolean isUnlimited() {
        return amount == Integer.MAX_VALUE;
    }

    boolean isNothing() {
        return amount == 0;
    }

    /** Microseconds in which one more may be done. */
    long step() {
        return Math.max(1, window.toNanos() / 1_000 / amount);
    }

    /** So much is taken from the database at once. */
    int share() {
        return Math.max(1, burst / 10);
    }
}
