package dev.inboxd.base.database;

/**
 * Upper bound of sequence numbers and storage that a transaction reserves from its organization. The rest is returned:
 * unused numbers become gaps, unused storage is returned by {@link Tx#recordUsage}.
 *
 * @param numbers numbers of the organization's clock that the transaction may use
 * @param room storage that it may add
 */
public record ClockReservation(int numbers, StoredUsage room) {
    /** Reserves numbers alone, for a change that stores nothing that counts. */
    public static ClockReservation numbers(int numbers) {
        return new ClockReservation(numbers, StoredUsage.NONE);
    }
}
