package dev.inboxd.sending.draft;

import dev.inboxd.base.json.JsonBody;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/** Reads the member {@code send_at} (mail.md §8.8). */
final class SendTime {
    /** A time at most this much in the past is accepted, since requests are delayed; the draft is then due at once. */
    private static final Duration GRACE = Duration.ofSeconds(60);

    private SendTime() {}

    /** The time, or null when absent, null or empty; faults are collected in the body. */
    static @Nullable Instant read(JsonBody body, Instant now) {
        Instant time = body.instant("send_at");
        if (time == null) {
            return null;
        }
        if (time.isBefore(now.minus(GRACE))) {
            body.fault("send_at", "send_at must not be in the past");
        } else if (time.isAfter(now.atOffset(ZoneOffset.UTC).plusYears(1).toInstant())) {
            body.fault("send_at", "send_at must be within a year");
        }
        return time.truncatedTo(ChronoUnit.MICROS);
    }
}
