package dev.inboxd.mail.calendar;

import static dev.inboxd.mail.calendar.CalendarFiles.calendar;
import static dev.inboxd.mail.calendar.CalendarFiles.event;
import static dev.inboxd.mail.calendar.CalendarFiles.read;
import static dev.inboxd.mail.calendar.CalendarFiles.refusal;
import static dev.inboxd.mail.calendar.CalendarFiles.refusalOf;
import static dev.inboxd.mail.calendar.CalendarFiles.whole;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What a calendar says, but for its times. */
class ICalendarReaderTest {
    @Test
    void theMethodIsInUpperCaseAndMayBeMissing() {
        assertThat(calendar(whole(event())).method()).isNull();
        assertThat(calendar(whole("method : request \r\n".replace(" : ", ":"), event()))
                        .method())
                .isEqualTo("REQUEST");
        assertThat(calendar(whole(event(), "METHOD:CANCEL\r\n")).method()).isEqualTo("CANCEL");
        assertThat(refusalOf(whole("METHOD:REQUEST\r\nMETHOD:CANCEL\r\n", event())))
                .isEqualTo("METHOD is there twice");
        assertThat(refusalOf(whole("METHOD:R E\r\n", event()))).isEqualTo("The method is malformed");
    }

    @Test
    void oneSeriesWithItsDatesIsTaken() {
        String date = event("RECURRENCE-ID:20261015T120000Z");
        ReadResult.Calendar calendar = calendar(whole(date, event("RRULE:FREQ=DAILY"), date.replace("15T", "16T")));
        assertThat(calendar.uid()).isEqualTo("1@x.test");
        assertThat(calendar.events()).extracting(ReadEvent::uid).containsExactly("1@x.test", "1@x.test", "1@x.test");
        assertThat(refusalOf(whole(event(), event()))).isEqualTo("The event itself is there twice");
        assertThat(refusalOf(whole(event(), date.replace("1@x", "2@x")))).isEqualTo("There is more than one UID");
        assertThat(refusalOf(whole(event(), date.replace("UID:1@x.test\r\n", ""))))
                .isEqualTo("An event has no UID");
        assertThat(refusal("UID:1@x.test")).isEqualTo("UID is there twice");
        assertThat(refusalOf(whole(event().replace("1@x.test", " ")))).isEqualTo("An event has no UID");
    }

    @Test
    void asManyDatesAreTakenAsAYearHasDays() {
        String date = event("RECURRENCE-ID:20261015T120000Z");
        assertThat(calendar(whole(event(), date.repeat(366))).events()).hasSize(367);
        assertThat(calendar(whole(date.repeat(367))).events()).hasSize(367);
        assertThat(refusalOf(whole(event(), date.repeat(367)))).isEqualTo("There are too many events");
    }

    @Test
    void aUidHasAThousandOctets() {
        String uid = "é".repeat(500);
        assertThat(calendar(whole(event().replace("1@x.test", uid))).uid()).isEqualTo(uid);
        assertThat(refusalOf(whole(event().replace("1@x.test", uid + "a")))).isEqualTo("A UID is too long");
        assertThat(calendar(whole(event().replace("1@x.test", "a\\,b\\nc\\\\d")))
                        .uid())
                .isEqualTo("a,b\nc\\d");
    }

    @Test
    void theStateOfAnEvent() {
        ReadEvent event = read("SEQUENCE:7", "DTSTAMP:20261001T163000Z");
        assertThat(event.sequence()).isEqualTo(7);
        assertThat(event.stamp()).isEqualTo(Instant.parse("2026-10-01T16:30:00Z"));
        assertThat(read().sequence()).isZero();
        assertThat(read().stamp()).isNull();
        assertThat(read("DTSTAMP:00010101T000000Z").stamp()).isNull();
        assertThat(read("DTSTAMP:yesterday").stamp()).isNull();
        assertThat(read("SEQUENCE:2147483647").sequence()).isEqualTo(Integer.MAX_VALUE);
        for (String wrong : List.of("-1", "2147483648", "99999999999", "1.5", "one")) {
            assertThat(refusal("SEQUENCE:" + wrong)).isEqualTo("A SEQUENCE is no number, or too large");
        }
    }

    @Test
    void namesAreReadInAnyCaseAndTheUnknownIsPassedOver() {
        ReadEvent event = calendar("begin:vcalendar\r\nx-wr-calname:a\r\nBegin:vEvent\r\nuid:1\r\n"
                        + "dtstart;value=date:20261015\r\nSummary;language=de;X-A=\"a:b;c\":Hallo: Welt\r\n"
                        + "no property at all\r\n:\r\n;:\r\nX-B\r\nattach:file:///etc/passwd\r\n"
                        + "begin:valarm\r\nsummary:Alarm\r\nattendee:mailto:alarm@x.test\r\nduration:PT5M\r\n"
                        + "END:VALARM\r\n"
                        + "end:vevent\r\nEND:vcalendar\r\n")
                .events()
                .getFirst();
        assertThat(event.words()).isEqualTo(new EventComponent.Words("Hallo: Welt", null, null, "CONFIRMED", null));
        assertThat(event.attendees()).isEmpty();
    }

    @Test
    void textsAreUnescapedAndClean() {
        ReadEvent event = read(
                "SUMMARY:a\\, b\\; c\\\\n \\n\\N \\\"q\\\" C:\\temp\\",
                "DESCRIPTION:tab\there \u0007bell\u0085\u2028line",
                "LOCATION:",
                "COMMENT:ok",
                "STATUS:tentative");
        assertThat(event.words())
                .isEqualTo(new EventComponent.Words(
                        "a, b; c\\n \n\n \"q\" C:\\temp\\", "tab\there bell\nline", null, "TENTATIVE", "ok"));
        assertThat(read("STATUS:CANCELLED").words().status()).isEqualTo("CANCELLED");
        assertThat(read("STATUS:NEEDS-ACTION").words().status()).isEqualTo("CONFIRMED");
        assertThat(read().words()).isEqualTo(new EventComponent.Words("", null, null, "CONFIRMED", null));
        assertThat(read("SUMMARY:first", "SUMMARY:second").words().summary()).isEqualTo("first");
    }

    @Test
    void textsAreCutBetweenCharacters() {
        String long4 = "😀".repeat(70_000);
        EventComponent.Words words = read(
                        "SUMMARY:" + long4,
                        "DESCRIPTION:a" + long4,
                        "LOCATION:" + long4,
                        "COMMENT:" + "a".repeat(4_096))
                .words();
        assertThat(words.summary()).isEqualTo("😀".repeat(1_000));
        assertThat(words.description()).isEqualTo("a" + "😀".repeat(16_383));
        assertThat(words.location()).isEqualTo("😀".repeat(1_024));
        assertThat(words.comment()).hasSize(4_096);
        assertThat(read("COMMENT:" + "é".repeat(2_049)).words().comment()).isNull();
    }

    @Test
    void theOrganizerHasAnAddressInLowerCase() {
        assertThat(person("ORGANIZER;CN=Mara;SENT-BY=\"mailto:b@x.test\":MAILTO:Mara.Lind@X.test"))
                .isEqualTo(new EventComponent.Person("mara.lind@x.test", "Mara"));
        assertThat(person("ORGANIZER:mailto:b%26c%2Bd@x.test?subject=a")).isEqualTo(named("b&c+d@x.test", null));
        assertThat(person("ORGANIZER:mailto:%6Dara@x.test%")).isNull();
        assertThat(person("ORGANIZER:a@x.test")).isEqualTo(named("a@x.test", null));
        assertThat(person("ORGANIZER:mailto:<a@x.test>")).isEqualTo(named("a@x.test", null));
        assertThat(person("ORGANIZER;EMAIL=\"A@x.test\":/users/a@b/")).isEqualTo(named("a@x.test", null));
        assertThat(person("ORGANIZER;EMAIL=a@x.test:urn:uuid:1")).isEqualTo(named("a@x.test", null));
        for (String none :
                List.of("invalid:nomail", "mailto:", "mailto:a b@x.test", "mailto:a@x.test\\,b@x.test", "")) {
            assertThat(person("ORGANIZER;CN=A:" + none)).isNull();
        }
        assertThat(refusal("ORGANIZER:mailto:a@x.test", "ORGANIZER:mailto:b@x.test"))
                .isEqualTo("ORGANIZER is there twice");
    }

    @Test
    void namesHaveTheEscapesOfParameters() {
        assertThat(name("\"A ^'Q^' ^^ ^n ^x; b, c: d\"")).isEqualTo("A \"Q\" ^ \n ^x; b, c: d");
        assertThat(name("Lind, Mara")).isEqualTo("Lind, Mara");
        assertThat(name("\"Sam \"Sandy\" Roe\"")).isEqualTo("Sam Sandy Roe");
        assertThat(name("\" \"")).isNull();
        assertThat(name("")).isNull();
        assertThat(name("é".repeat(300))).isEqualTo("é".repeat(256));
        assertThat(refusal("ORGANIZER;CN=\"a:mailto:a@x.test")).isEqualTo("A property has no value");
    }

    @Test
    void attendeesHaveRolesAndAnswers() {
        ReadEvent event = read(
                "ATTENDEE;ROLE=CHAIR;PARTSTAT=ACCEPTED:mailto:a@x.test",
                "attendee;role=opt-participant;partstat=\"tentative\":mailto:b@x.test",
                "ATTENDEE;ROLE=NON-PARTICIPANT;PARTSTAT=DECLINED;CUTYPE=ROOM:mailto:c@x.test",
                "ATTENDEE;PARTSTAT=DELEGATED;CN=D:mailto:d@x.test",
                "ATTENDEE;PARTSTAT=DECLINED:mailto:A@X.TEST",
                "ATTENDEE:invalid:nomail");
        assertThat(event.attendees())
                .containsExactly(
                        new EventComponent.Guest(named("a@x.test", null), "REQ-PARTICIPANT", "ACCEPTED"),
                        new EventComponent.Guest(named("b@x.test", null), "OPT-PARTICIPANT", "TENTATIVE"),
                        new EventComponent.Guest(named("c@x.test", null), "OPT-PARTICIPANT", "DECLINED"),
                        new EventComponent.Guest(named("d@x.test", "D"), "REQ-PARTICIPANT", "NEEDS-ACTION"));
    }

    @Test
    void aThousandAttendeesAreTaken() {
        String[] lines = IntStream.range(0, 1_001)
                .mapToObj(i -> "ATTENDEE:mailto:a" + i + "@x.test")
                .toArray(String[]::new);
        assertThat(refusal(lines)).isEqualTo("An event has too many attendees");
        lines[1_000] = "X-A:1";
        assertThat(read(lines).attendees()).hasSize(1_000);
    }

    @Test
    void componentsBeginAndEndInOrder() {
        assertThat(refusalOf("BEGIN:VEVENT\r\nEND:VEVENT\r\n")).isEqualTo("It does not begin with a calendar");
        assertThat(refusalOf(whole(event()) + whole(event()))).isEqualTo("There is more than one calendar");
        assertThat(refusalOf(whole())).isEqualTo("There is no event");
        assertThat(refusalOf(whole("BEGIN:VTODO\r\nUID:1\r\nEND:VTODO\r\n"))).isEqualTo("There is no event");
        assertThat(refusalOf(whole("BEGIN:X\r\n", event(), "END:X\r\n"))).isEqualTo("There is no event");
        assertThat(refusalOf("BEGIN:VCALENDAR\r\n" + event())).isEqualTo("A component does not end");
        assertThat(refusalOf(whole(event(), "END:VEVENT\r\n"))).isEqualTo("A component ends that did not begin");
        assertThat(refusalOf("END:VCALENDAR\r\n")).isEqualTo("A component ends that did not begin");
        assertThat(calendar(whole(event(), nested(7))).events()).hasSize(1);
        assertThat(refusalOf(whole(event(), nested(8)))).isEqualTo("Components are nested too deep");
        assertThat(calendar(whole(event(), "BEGIN:A\r\nEND:A\r\n".repeat(2_498)))
                        .events())
                .hasSize(1);
        assertThat(refusalOf(whole(event(), "BEGIN:A\r\nEND:A\r\n".repeat(2_499))))
                .isEqualTo("There are too many components");
    }

    @Test
    void whatIsNotOfThisKindIsRefused() {
        assertThat(refusalOf(whole(event()).replace("VERSION:2.0", "VERSION:1.0")))
                .isEqualTo("It is a vCalendar");
        assertThat(calendar(whole(event()).replace("VERSION:2.0\r\n", "")).events())
                .hasSize(1);
        assertThat(refusalOf(whole("CALSCALE:CHINESE\r\n", event()))).isEqualTo("Its dates are not Gregorian");
        assertThat(calendar(whole("CALSCALE:gregorian\r\n", event())).events()).hasSize(1);
    }

    @Test
    void aLineThatIsReadHasABound() {
        String far = "20261015T120000Z,".repeat(4_000);
        assertThat(refusal("EXDATE:" + far)).isEqualTo("A line is too long");
        assertThat(read("ATTACH:" + far, "DESCRIPTION:" + far).words().description())
                .hasSize(65_536);
    }

    @Test
    void aReasonHoldsNothingOfThePart() {
        for (String line : List.of("RRULE:FREQ=SECRET", "DTEND:SECRET", "DTEND;TZID=SECRET:20261015T120000")) {
            assertThat(refusal(line)).doesNotContain("SECRET").isPrintable().hasSizeLessThan(80);
        }
    }

    private static String nested(int levels) {
        return "BEGIN:A\r\n".repeat(levels) + "END:A\r\n".repeat(levels);
    }

    private static EventComponent.@Nullable Person person(String line) {
        return read(line).organizer();
    }

    private static EventComponent.Person named(String email, @Nullable String name) {
        return new EventComponent.Person(email, name);
    }

    private static @Nullable String name(String parameter) {
        return Objects.requireNonNull(person("ORGANIZER;CN=" + parameter + ":mailto:a@x.test"))
                .name();
    }

    @Test
    void anEmptyPartIsRefused() {
        assertThat(refusalOf(ICalendarReader.read(new byte[0], null, CalendarFiles.ZONE)))
                .isEqualTo("It has no line ends");
        assertThat(refusalOf(
                        ICalendarReader.read("\u0000".getBytes(StandardCharsets.UTF_8), "utf-8", CalendarFiles.ZONE)))
                .isEqualTo("It has a NUL");
    }
}
