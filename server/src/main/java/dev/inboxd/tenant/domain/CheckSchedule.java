package dev.inboxd.tenant.domain;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The times of the checks of a domain (identity.md §11.4). */
final class CheckSchedule {
    private static final Duration HOUR = Duration.ofHours(1);
    private static final Duration DAY = Duration.ofDays(1);
    private static final Duration HOURLY = Duration.ofDays(3);
    private static final List<Duration> FIRST = List.of(
            Duration.ofSeconds(30),
            Duration.ofMinutes(1),
            Duration.ofMinutes(2),
            Duration.ofMinutes(5),
            Duration.ofMinutes(10),
            Duration.ofMinutes(15),
            Duration.ofMinutes(30),
            HOUR);

    private CheckSchedule() {}

    /**
     * The time of the next check.
     *
     * @param restartedAt the start of the intervals of an unverified domain: its registration, or its owner's last
     *     request
     * @param now when the last check ended
     * @return null when there is no check until the owner requests one
     */
    static @Nullable Instant next(VerificationState progress, Instant restartedAt, Instant now) {
        Instant since = progress.since();
        return switch (progress.status()) {
            case VERIFIED ->
                since == null ? now.plus(DAY) : latest(since.plus(VerificationState.GRACE), now.plus(HOUR));
            case VERIFYING ->
                since != null && now.isBefore(since.plus(VerificationState.CONFIRMATION))
                        ? since.plus(VerificationState.CONFIRMATION)
                        : waiting(restartedAt, now);
            case FAILED -> null;
            case NOT_STARTED, PENDING, INVALID -> waiting(restartedAt, now);
        };
    }

    private static Instant waiting(Instant restartedAt, Instant now) {
        Duration age = Duration.between(restartedAt, now);
        for (Duration offset : FIRST) {
            if (age.compareTo(offset) < 0) {
                return restartedAt.plus(offset);
            }
        }
        return now.plus(age.compareTo(HOURLY) < 0 ? HOUR : DAY);
    }

    private static Instant latest(Instant first, Instant second) {
        return first.isAfter(second) ? first : second;
    }
}
