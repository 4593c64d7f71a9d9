package dev.inboxd.mail.calendar;

import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.mail.recurrence.DurationMode;
import dev.inboxd.mail.recurrence.EventTime;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A calendar that others subscribe to is bounded. */
class PublishedCalendarTest {
    private static final LocalDateTime START = LocalDateTime.of(2026, 10, 15, 14, 0);
    private static final PublishedCalendar.Head HEAD =
            new PublishedCalendar.Head("A; b", ZoneId.of("Europe/Berlin"), Duration.ofHours(1));

    private static EventComponent event(String uid, String zone) {
        EventTime time = new EventTime(false, START, START.plusHours(1), ZoneId.of(zone), DurationMode.NOMINAL);
        return new EventComponent(
                new EventComponent.Identity(uid, 0, Instant.EPOCH, null),
                EventComponent.Schedule.once(time),
                new EventComponent.Words("Call", null, null, "CONFIRMED", null),
                null,
                List.of());
    }

    private static String text(PublishedCalendar calendar) {
        return new String(calendar.octets(), StandardCharsets.UTF_8);
    }

    @Test
    void zonesStandBeforeTheEventsThatNameThem() {
        PublishedCalendar calendar = new PublishedCalendar(HEAD, new PublishedCalendar.Bounds(9, 1_000_000));
        assertThat(calendar.add(List.of(event("1", "UTC")))).isTrue();
        assertThat(calendar.add(List.of(event("2", "Europe/Berlin")))).isTrue();
        assertThat(text(calendar))
                .startsWith("BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//inboxd//EN\r\nCALSCALE:GREGORIAN\r\n"
                        + "NAME:A\\; b\r\nX-WR-CALNAME:A\\; b\r\nX-WR-TIMEZONE:Europe/Berlin\r\n"
                        + "REFRESH-INTERVAL;VALUE=DURATION:PT1H\r\nX-PUBLISHED-TTL:PT1H\r\n"
                        + "BEGIN:VTIMEZONE\r\nTZID:Europe/Berlin\r\n")
                .containsSubsequence("END:VTIMEZONE", "UID:1\r\n", "UID:2\r\n")
                .endsWith("END:VEVENT\r\nEND:VCALENDAR\r\n");
    }

    @Test
    void anEventIsInItWithAllItsDatesOrNotAtAll() {
        PublishedCalendar calendar = new PublishedCalendar(HEAD, new PublishedCalendar.Bounds(2, 1_000_000));
        assertThat(calendar.add(List.of(event("1", "UTC")))).isTrue();
        assertThat(calendar.add(List.of(event("2", "UTC"), event("2", "UTC")))).isFalse();
        assertThat(text(calendar)).contains("UID:1\r\n").doesNotContain("UID:2\r\n");
    }

    @Test
    void itIsNeverLargerThanItMayBe() {
        int most = 2_000;
        PublishedCalendar calendar = new PublishedCalendar(HEAD, new PublishedCalendar.Bounds(1_000, most));
        int added = 0;
        while (calendar.add(List.of(event("1", "UTC")))) {
            added++;
        }
        assertThat(added).isGreaterThan(5);
        assertThat(calendar.octets().length).isBetween(most - 250, most);
        assertThat(new PublishedCalendar(HEAD, new PublishedCalendar.Bounds(9, most))
                        .add(List.of(event("1", "Europe/Berlin"))))
                .as("a zone has its share")
                .isFalse();
    }
}
