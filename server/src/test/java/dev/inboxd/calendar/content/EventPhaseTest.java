package dev.inboxd.calendar.content;

import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.mail.recurrence.DurationMode;
import dev.inboxd.mail.recurrence.EventTime;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import org.junit.jupiter.api.Test;

/** Where an event stands: its start is held for the moment until it was told (calendar.md §5). */
class EventPhaseTest {
    private static final EventTime TIME = new EventTime(
            false,
            LocalDateTime.parse("2026-10-15T14:00:00"),
            LocalDateTime.parse("2026-10-15T14:30:00"),
            ZoneId.of("UTC"),
            DurationMode.EXACT);

    private static EventPhase at(String time, boolean told) {
        return EventPhase.of(TIME, told, Instant.parse("2026-10-15T" + time + "Z"));
    }

    @Test
    void itIsStartingUntilItsStartWasToldOrFiveSecondsPass() {
        assertThat(at("13:59:59.999", false)).isEqualTo(EventPhase.BEFORE);
        assertThat(at("14:00:00", false)).isEqualTo(EventPhase.STARTING);
        assertThat(at("14:00:04.999", false)).isEqualTo(EventPhase.STARTING);
        assertThat(at("14:00:01", true)).isEqualTo(EventPhase.RUNNING);
        assertThat(at("14:00:05", false)).isEqualTo(EventPhase.RUNNING);
        assertThat(at("14:29:59", true)).isEqualTo(EventPhase.RUNNING);
        assertThat(at("14:30:00", true)).isEqualTo(EventPhase.ENDED);
    }
}
