package dev.inboxd.mail.calendar;

import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.mail.recurrence.EventTime;
import dev.inboxd.mail.recurrence.Recurrence;
import dev.inboxd.mail.recurrence.RecurrenceRule;
import dev.inboxd.mail.recurrence.RuleSyntaxException;
import dev.inboxd.mail.recurrence.Slot;
import java.io.IOException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What the programs that most people have mean by what they write. */
class MailedCalendarsTest {
    @Test
    void aSeriesWithAMovedAndACancelledDate() throws IOException {
        ReadResult.Calendar calendar = CalendarFiles.file("google-request.ics");
        ReadEvent series = calendar.events().getFirst();
        assertThat(calendar.method()).isEqualTo("REQUEST");
        assertThat(series.uid()).isEqualTo("5k2l0vq9tq1d6e7r8s9t0u1v2w@google.com");
        assertThat(series.sequence()).isEqualTo(1);
        assertThat(series.words())
                .isEqualTo(new EventComponent.Words(
                        "Planning; weekly",
                        "Bring figures.\n\n-::~:~::~:~:~:~-\nJoin: https://meet.example/abc-defg-hij\n"
                                + "Please do not edit this section.\n-::~:~::~:~:~:~-",
                        "Room 4, second floor",
                        "CONFIRMED",
                        null));
        assertThat(series.organizer()).isEqualTo(new EventComponent.Person("mara.lind@example.com", "Mara Lind"));
        assertThat(series.attendees())
                .containsExactly(
                        guest("mara.lind@example.com", "Mara Lind", "REQ-PARTICIPANT", "ACCEPTED"),
                        guest("agent@inbox.example", "agent@inbox.example", "OPT-PARTICIPANT", "NEEDS-ACTION"));
        // UNTIL is the end of 14 December in New York.
        assertThat(starts(series))
                .startsWith(
                        "2026-10-05T13:30:00Z", "2026-10-19T13:30:00Z", "2026-10-26T13:30:00Z", "2026-11-02T14:30:00Z")
                .endsWith("2026-12-14T14:30:00Z")
                .hasSize(10);
        assertThat(slots(calendar)).containsExactly("t20261019T093000", "t20261026T093000");
        ReadEvent moved = calendar.events().get(1);
        assertThat(time(moved).startAt()).isEqualTo(Instant.parse("2026-10-21T15:00:00Z"));
        assertThat(moved.words().summary()).isEqualTo("Planning; moved");
        assertThat(calendar.events().get(2).words().status()).isEqualTo("CANCELLED");
    }

    @Test
    void aCancelledDateOfSeveralDays() throws IOException {
        ReadResult.Calendar calendar = CalendarFiles.file("google-allday-cancel.ics");
        ReadEvent date = calendar.events().getFirst();
        assertThat(calendar.method()).isEqualTo("CANCEL");
        assertThat(time(date).start()).isEqualTo(LocalDateTime.parse("2026-10-20T00:00"));
        assertThat(time(date).end()).isEqualTo(LocalDateTime.parse("2026-10-22T00:00"));
        assertThat(date.words().status()).isEqualTo("CANCELLED");
        assertThat(date.organizer())
                .isEqualTo(new EventComponent.Person("c_0a1b2c3d@group.calendar.example.com", "Team"));
        assertThat(Objects.requireNonNull(date.recurrenceId()).allDay()).isTrue();
    }

    @Test
    void answersOfAttendees() throws IOException {
        ReadResult.Calendar google = CalendarFiles.file("google-reply.ics");
        assertThat(google.method()).isEqualTo("REPLY");
        assertThat(google.events().getFirst().attendees())
                .containsExactly(guest("jo.rey@example.com", "Jo Rey", "REQ-PARTICIPANT", "TENTATIVE"));
        assertThat(google.events().getFirst().words().description()).isNull();
        ReadResult.Calendar outlook = CalendarFiles.file("outlook-reply.ics");
        ReadEvent answer = outlook.events().getFirst();
        assertThat(outlook.uid()).isEqualTo(google.uid());
        assertThat(answer.attendees())
                .containsExactly(guest("ida.berg@example.com", "Ida Berg", "REQ-PARTICIPANT", "DECLINED"));
        assertThat(answer.words().comment()).isEqualTo("On leave, sorry.\n");
        assertThat(answer.time()).isNull();
        assertThat(answer.sequence()).isEqualTo(2);
        assertThat(answer.stamp()).isEqualTo(Instant.parse("2026-11-01T10:00:00Z"));
        // The date of a series in Berlin at four in the afternoon.
        EventTime first = new EventTime(
                false,
                LocalDateTime.parse("2026-10-01T16:00"),
                LocalDateTime.parse("2026-10-01T16:30"),
                CalendarFiles.ZONE,
                time(google.events().getFirst()).mode());
        assertThat(series(first, "FREQ=WEEKLY").named(Objects.requireNonNull(answer.recurrenceId())))
                .contains(new Slot(LocalDateTime.parse("2026-11-05T16:00"), false));
    }

    @Test
    void aSeriesInAZoneOfWindows() throws IOException {
        ReadEvent series = CalendarFiles.file("outlook-request.ics").events().getFirst();
        assertThat(time(series).zone().getId()).isEqualTo("Europe/Berlin");
        // UNTIL is the start of the last date, and two more than a quarter later the clocks of winter hold.
        assertThat(starts(series))
                .containsExactly(
                        "2026-10-14T08:00:00Z",
                        "2026-11-11T09:00:00Z",
                        "2027-01-13T09:00:00Z",
                        "2027-02-10T09:00:00Z",
                        "2027-03-10T09:00:00Z");
        assertThat(series.uid()).hasSize(112).startsWith("040000008200E000");
        assertThat(series.organizer()).isEqualTo(new EventComponent.Person("ida.berg@example.com", "Berg, Ida"));
        assertThat(series.attendees())
                .containsExactly(
                        guest("agent@inbox.example", "'agent@inbox.example'", "REQ-PARTICIPANT", "NEEDS-ACTION"),
                        guest("raum.sued@example.com", "Raum Süd", "OPT-PARTICIPANT", "NEEDS-ACTION"));
        assertThat(series.words().description()).isEqualTo("Tagesordnung:\n\n1. Zahlen\n2. Fragen\n");
    }

    @Test
    void daysWithADateThatHasTimes() throws IOException {
        ReadResult.Calendar calendar = CalendarFiles.file("outlook-allday.ics");
        ReadEvent series = calendar.events().getFirst();
        assertThat(time(series).allDay()).isTrue();
        assertThat(time(series).end()).isEqualTo(LocalDateTime.parse("2026-11-06T00:00"));
        assertThat(Objects.requireNonNull(series.rule()).text())
                .isEqualTo("FREQ=WEEKLY;UNTIL=20261120;INTERVAL=1;BYDAY=MO;WKST=SU");
        assertThat(slots(calendar)).containsExactly("d20261109");
        assertThat(time(calendar.events().get(1)).startAt()).isEqualTo(Instant.parse("2026-11-11T18:00:00Z"));
    }

    @Test
    void aProposalOfAnotherTime() throws IOException {
        ReadResult.Calendar calendar = CalendarFiles.file("outlook-counter.ics");
        assertThat(calendar.method()).isEqualTo("COUNTER");
        ReadEvent proposal = calendar.events().getFirst();
        assertThat(time(proposal).startAt()).isEqualTo(Instant.parse("2026-11-05T16:00:00Z"));
        assertThat(proposal.words().comment()).isEqualTo("Could we begin later?\n");
        assertThat(proposal.organizer()).isNull();
    }

    @Test
    void datesThatBecameADayOrAreNamedByOne() throws IOException {
        ReadResult.Calendar calendar = CalendarFiles.file("apple-request.ics");
        ReadEvent series = calendar.events().getFirst();
        assertThat(starts(series))
                .startsWith("2026-10-16T07:00:00Z", "2026-10-19T07:00:00Z")
                .contains("2026-10-25T08:00:00Z")
                .endsWith("2026-11-04T08:00:00Z")
                .hasSize(18);
        assertThat(series.words().summary()).isEqualTo("Breakfast 🥐");
        assertThat(series.words().location()).isEqualTo("Café Ürün\n1 High Street, London");
        assertThat(series.organizer()).isEqualTo(new EventComponent.Person("sam@example.com", "Sam \\Sandy\\ Roe"));
        assertThat(series.attendees())
                .containsExactly(
                        guest("sam@example.com", "Sam", "REQ-PARTICIPANT", "ACCEPTED"),
                        guest("agent@inbox.example", "agent@inbox.example", "REQ-PARTICIPANT", "NEEDS-ACTION"));
        assertThat(slots(calendar)).containsExactly("t20261031T080000", "t20261102T080000");
        EventTime day = time(calendar.events().get(1));
        assertThat(day.allDay()).isTrue();
        assertThat(day.end()).isEqualTo(day.start()).isEqualTo(LocalDateTime.parse("2026-11-01T00:00"));
        EventTime late = time(calendar.events().get(2));
        assertThat(late.endAt()).isEqualTo(Instant.parse("2026-11-03T09:45:00Z"));
    }

    private static EventTime time(ReadEvent event) {
        return Objects.requireNonNull(event.time());
    }

    private static EventComponent.Guest guest(String email, String name, String role, String status) {
        return new EventComponent.Guest(new EventComponent.Person(email, name), role, status);
    }

    private static Recurrence recurrence(ReadEvent event) {
        return new Recurrence(
                time(event), Objects.requireNonNull(event.rule()), Set.copyOf(event.exdates()), event.rdates(), null);
    }

    private static Recurrence series(EventTime first, String rule) {
        try {
            return new Recurrence(first, RecurrenceRule.parse(rule, first.allDay(), false), Set.of(), List.of(), null);
        } catch (RuleSyntaxException wrong) {
            throw new IllegalArgumentException(wrong);
        }
    }

    private static List<String> starts(ReadEvent event) {
        List<String> starts = new ArrayList<>();
        Iterator<Recurrence.Occurrence> dates =
                recurrence(event).from(time(event).start());
        while (dates.hasNext() && starts.size() < 100) {
            starts.add(dates.next().time().startAt().toString());
        }
        return starts;
    }

    /** The slots of the series, which comes first, that the other events change. */
    private static List<String> slots(ReadResult.Calendar calendar) {
        Recurrence series = recurrence(calendar.events().getFirst());
        return calendar.events().stream()
                .skip(1)
                .map(date -> series.named(Objects.requireNonNull(date.recurrenceId()))
                        .orElseThrow())
                .map(Slot::toString)
                .toList();
    }
}
