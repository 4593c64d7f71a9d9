package dev.inboxd.tenant.metric;

import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What there can be much or little of (events.md §8). */
enum Usage {
    STORAGE_BYTES(Kind.STORAGE_BYTES),
    MESSAGE_COUNT(Kind.MESSAGE_COUNT),
    THREAD_COUNT(Kind.THREAD_COUNT),
    INBOX_COUNT(null),
    DOMAIN_COUNT(null),
    POD_COUNT(null);

    /** Points of a series when no period is given. */
    static final int USUAL_POINTS = 100;

    private final @Nullable Kind kind;

    Usage(@Nullable Kind kind) {
        this.kind = kind;
    }

    String wire() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The running total that tells it, or null when the things themselves are counted. */
    @Nullable
    Kind kind() {
        return kind;
    }

    /** What there is in an organization, in a pod of it, or in an inbox. */
    static List<Usage> of(boolean pod, boolean inbox) {
        return Stream.of(values())
                .filter(usage -> usage.kind != null || !inbox)
                .filter(usage -> usage != POD_COUNT || !pod)
                .toList();
    }
}
