package dev.inboxd.mail.auth;

import java.util.List;

/**
 * Answer of a DNS lookup.
 *
 * @param <T> a text, or an address
 * @param status whether there are records, and if not, why
 * @param records the records; empty unless {@link Status#DATA}
 */
public record ResolverAnswer<T>(Status status, List<T> records) {
    /** Status of a lookup. */
    public enum Status {
        /** There are records. */
        DATA,
        /** The name exists, without such records (RFC 2308 §2.2). */
        NO_DATA,
        /** Neither the name nor any below it exists (RFC 8020). */
        NO_NAME,
        /** No trustworthy answer: worth another lookup later. */
        FAILED
    }

    public ResolverAnswer {
        records = List.copyOf(records);
    }

    /** An answer with these records, or NO_DATA when there are none. */
    public static <T> ResolverAnswer<T> of(List<T> records) {
        return new ResolverAnswer<>(records.isEmpty() ? Status.NO_DATA : Status.DATA, records);
    }

    /** An answer without records. */
    public static <T> ResolverAnswer<T> without(Status status) {
        return new ResolverAnswer<>(status, List.of());
    }

    /** Whether there is no trustworthy answer. */
    public boolean isFailed() {
        return status == Status.FAILED;
    }

    /** Whether DNS has no such record: RFC 7208 §4.6.4 calls this a void lookup. */
    public boolean isVoid() {
        return status == Status.NO_DATA || status == Status.NO_NAME;
    }
}
