package dev.inboxd.sandbox.clock;

import dev.inboxd.base.json.JsonBody;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What a call asks of the clock.
 *
 * @param settleTimeout how long the answer waits until what is due is done
 */
record ClockOrder(Form form, Duration settleTimeout) {
    private static final Duration FARTHEST = Duration.ofDays(400);
    private static final List<String> FORMS = List.of("advance", "set", "freeze", "resume", "reset");
    private static final int USUAL_SETTLE = 30;
    private static final int LONGEST_SETTLE = 60;
    private static final String SPAN = "a duration such as \"PT2H\" or \"P3D\", or seconds, up to 400 days";

    /** One of the forms. */
    sealed interface Form {}

    /**
     * Moves it on.
     *
     * @param by how far; null: to a time
     * @param to until when; null: by a duration
     * @param jump whether at once
     */
    record Advance(@Nullable Duration by, @Nullable Instant to, boolean jump) implements Form {}

    /** A form of one word. */
    enum Word implements Form {
        FREEZE,
        RESUME,
        RESET
    }

    /**
     * Reads an order.
     *
     * @param now what the clock shows
     */
    static ClockOrder read(JsonBody body, Instant now) {
        List<String> forms = FORMS.stream().filter(body::isGiven).toList();
        Duration by = span(body);
        Instant to = body.instant("set");
        if (to != null && to.isBefore(now)) {
            body.fault("set", "must not be before the time of the server: its clock never goes back");
        } else if (to != null && to.isAfter(now.plus(FARTHEST))) {
            body.fault("set", "must be within 400 days of the time of the server");
        }
        boolean moves = body.isGiven("advance") || body.isGiven("set");
        boolean jump = body.flag("jump", false);
        if (jump && !moves) {
            body.fault("jump", "goes with advance or set");
        }
        Form form = new Advance(by, to, jump);
        for (Word word : Word.values()) {
            String name = word.name().toLowerCase(Locale.ROOT);
            Boolean flag = body.flag(name);
            if (flag != null && !flag) {
                body.fault(name, "must be true");
            } else if (flag != null) {
                form = word;
            }
        }
        if (forms.size() != 1) {
            body.fault(
                    forms.isEmpty() ? "advance" : forms.getLast(),
                    "exactly one of advance, set, freeze, resume and reset must be given");
        }
        Long settleSeconds = body.integer("settle_seconds", 0, LONGEST_SETTLE);
        body.check();
        return new ClockOrder(form, Duration.ofSeconds(settleSeconds == null ? USUAL_SETTLE : settleSeconds));
    }

    private static @Nullable Duration span(JsonBody body) {
        if (!body.isGiven("advance")) {
            return null;
        }
        Duration span = switch (body.any("advance")) {
            case Long seconds when Math.abs(seconds) <= FARTHEST.toSeconds() -> Duration.ofSeconds(seconds);
            case Double seconds
            when Math.abs(seconds) <= FARTHEST.toSeconds() -> Duration.ofNanos(Math.round(seconds * 1e6) * 1_000);
            case String text -> parsed(text);
            case null, default -> null;
        };
        if (span == null || span.isNegative() || span.compareTo(FARTHEST) > 0) {
            body.fault("advance", "must be " + SPAN);
            return null;
        }
        return span;
    }

    private static @Nullable Duration parsed(String text) {
        try {
            return Duration.parse(text);
        } catch (DateTimeException | ArithmeticException notOne) {
            return null;
        }
    }
}
