package dev.inboxd.platform.database;

/**
 * What a change takes of its organization before it is known how much it will need. What it does not need, it gives back:
 * numbers as holes, room by {@link Tx#recordUsage}.
 *
 * @param numbers how many numbers of the organization's clock it may use
 * @param room how much it may add to what the organization keeps
 */
public record ClockReservation(int numbers, StoredUsage room) {
    /** Numbers alone: nothing is added that counts. */
    public static ClockReservation numbers(int numbers) {
        return new ClockReservation(numbers, StoredUsage.NONE);
    }
}
