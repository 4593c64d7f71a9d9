package dev.inboxd.sandbox.fault;

import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** What can be made to fail, and the members that say how. */
enum FaultKind {
    WEBHOOK(Extent.TIMES, List.of("answer"), List.of("webhook_id")),
    SMTP(Extent.TIMES, List.of("code"), List.of("enhanced", "recipient")),
    DNS(Extent.SECONDS, List.of("answer"), List.of("names")),
    DATABASE(Extent.SECONDS, List.of(), List.of()),
    STORE(Extent.SECONDS, List.of(), List.of()),
    DISK(Extent.SECONDS, List.of(), List.of()),
    API(Extent.EITHER, List.of("status"), List.of("method", "route")),
    LOST_ANSWER(Extent.TIMES, List.of(), List.of("method", "route")),
    SLOW(Extent.SECONDS, List.of("ms"), List.of("route"));

    private final Extent extent;

    @SuppressWarnings("ImmutableEnumChecker") // a list that cannot be changed
    private final List<String> required;

    @SuppressWarnings("ImmutableEnumChecker") // a list that cannot be changed
    private final List<String> optional;

    FaultKind(Extent extent, List<String> required, List<String> optional) {
        this.extent = extent;
        this.required = required;
        this.optional = optional;
    }

    /** How it is said how long a fault lasts. */
    enum Extent {
        TIMES,
        SECONDS,
        EITHER
    }

    /** Whether it may be said by this member how long a fault lasts. */
    boolean lasts(Extent by) {
        return extent == by || extent == Extent.EITHER;
    }

    boolean requires(String member) {
        return required.contains(member);
    }

    /** The members besides those that say how long it lasts. */
    List<String> members() {
        return Stream.concat(required.stream(), optional.stream()).toList();
    }

    String wireName() {
        return name().toLowerCase(Locale.ROOT);
    }
}
