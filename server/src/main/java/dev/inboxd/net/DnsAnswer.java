package dev.inboxd.net;

import java.util.List;

/**
 * Result of a lookup. Callers treat {@link Missing} as final, and retry later after {@link Unavailable}.
 *
 * @param <T> the kind of record
 */
public sealed interface DnsAnswer<T> {
    /** The records, in the order the caller should use them. */
    record Records<T>(List<T> records) implements DnsAnswer<T> {
        public Records {
            records = List.copyOf(records);
        }
    }

    /**
     * DNS has no such record.
     *
     * @param nameExists the name has records of other types (NODATA, RFC 2308 §2.2); false for NXDOMAIN
     */
    record Missing<T>(boolean nameExists) implements DnsAnswer<T> {}

    /**
     * No trustworthy answer: timeout, server failure, or an answer over our limits; {@code reason} is for logs and
     * reports.
     */
    record Unavailable<T>(String reason) implements DnsAnswer<T> {
        /** What a failed lookup says; the system tells of a port where nobody listens without words. */
        static <T> Unavailable<T> because(Throwable failure) {
            String message = failure.getMessage();
            return new Unavailable<>(message == null ? "no name server answers" : message);
        }
    }
}
