package dev.inboxd.calendar.invitation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.calendar.CalendarProbe;
import dev.inboxd.server.World;
import java.time.LocalDate;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Dates of a series that the inbox does not have, and series that end as a whole (rulings 155 to 157). */
class SingleDatesHttpTest {
    private static final Map<String, String> TAKEN = Map.of("status", "taken");
    private static final Map<String, String> OLDER = Map.of("status", "ignored", "reason", "older");

    private static World world;

    @BeforeAll
    static void start() {
        world = InvitingMail.world();
    }

    @AfterAll
    static void stop() {
        world.close();
    }

    private static InvitingMail mail() {
        return new InvitingMail(world, new CalendarProbe(world));
    }

    private static String date(InvitingMail mail, String day, String... more) {
        String[] lines = new String[more.length + 1];
        lines[0] = "RECURRENCE-ID:209901" + day + "T100000Z\nDTSTART:209901" + day + "T100000Z\nDTEND:209901" + day
                + "T110000Z\nSUMMARY:Planning";
        System.arraycopy(more, 0, lines, 1, more.length);
        return mail.event("single", lines);
    }

    @ParameterizedTest
    @Tag("long")
    @ValueSource(
            strings = {
                "RECURRENCE-ID:20990105T100000Z",
                "RECURRENCE-ID;TZID=Europe/Berlin:20990105T110000",
                "RECURRENCE-ID;TZID=Eastern Standard Time:20990105T050000",
                "RECURRENCE-ID;VALUE=DATE:20990105"
            })
    void aDateIsMovedAndCancelledWhateverZoneNamesIt(String name) {
        InvitingMail mail = mail();
        assertThat(mail.send("REQUEST", date(mail, "05"))).isEqualTo(TAKEN);
        assertThat(mail.send(
                        "REQUEST",
                        mail.event("single", name, "SEQUENCE:1", "DTSTART:20990105T150000Z", "SUMMARY:Moved")))
                .isEqualTo(TAKEN);
        assertThat(mail.starts()).isEqualTo(List.of("2099-01-05T15:00:00"));
        assertThat(mail.send("REQUEST", date(mail, "05"))).isEqualTo(OLDER);
        assertThat(mail.send("CANCEL", mail.event("single", name, "SEQUENCE:1")))
                .isEqualTo(TAKEN);
        assertThat(mail.starts()).isEmpty();
    }

    @Test
    void aDateOfDaysIsCancelledByALaterStateWithoutSequence() {
        InvitingMail mail = mail();
        String day = "RECURRENCE-ID;VALUE=DATE:20990105\nDTSTART;VALUE=DATE:20990105\nDTEND;VALUE=DATE:20990106";
        mail.send("REQUEST", mail.event("days", day));
        assertThat(mail.starts()).isEqualTo(List.of("2099-01-05"));
        assertThat(mail.send("CANCEL", mail.event("days", day, "DTSTAMP:20260101T000001Z")))
                .isEqualTo(TAKEN);
        assertThat(mail.starts()).isEmpty();
    }

    @Test
    void theSeriesTakesItsDatesInAndTheirIdsGoOn() {
        InvitingMail mail = mail();
        mail.send("REQUEST", date(mail, "05"), date(mail, "06"));
        assertThat(mail.send("REQUEST", date(mail, "07", "SEQUENCE:1", "STATUS:TENTATIVE")))
                .isEqualTo(TAKEN);
        List<?> ids = mail.ids();
        assertThat(ids).hasSize(3);
        String answered = mail.calendar()
                .list("/agenda?after=2099-01-06T00:00:00Z&before=2099-01-07T00:00:00Z", "event_id")
                .getFirst()
                .toString();
        mail.calendar()
                .post("/events/" + answered + "/respond", "{'status':'accepted','send_reply':false}")
                .is(200);
        mail.send("REQUEST", mail.event("single", "SEQUENCE:1", "SUMMARY:Series", "RRULE:FREQ=DAILY;COUNT=4"));

        assertThat(mail.starts())
                .isEqualTo(List.of(
                        "2099-01-05T10:00:00", "2099-01-06T10:00:00", "2099-01-07T10:00:00", "2099-01-08T10:00:00"));
        for (Object id : ids) {
            assertThat(mail.of(id, "kind")).isEqualTo("instance");
        }
        assertThat(mail.of(answered, "response_status")).isEqualTo("accepted");
        assertThat(mail.of(answered, "title")).isEqualTo("Series");
        mail.calendar().patch("/events/" + answered, "{'title':'Own'}").is(200);
        assertThat(mail.calendar().get("").is(200).at("event_count")).isEqualTo(1L);
        assertThat(mail.calendar().types()).doesNotContain("calendar.event.deleted");

        Object series = mail.calendar().list("/events?limit=100").stream()
                .filter(event -> "series".equals(event.get("kind")))
                .findFirst()
                .orElseThrow()
                .get("event_id");
        mail.calendar().delete("/events/" + series).is(202);
        mail.calendar().get("/events/" + answered).is(404);
    }

    @Test
    void aWholeCancellationEndsDatesThatCameAloneAndDatesThatWereMoved() {
        InvitingMail mail = mail();
        mail.send("REQUEST", date(mail, "05"), date(mail, "06"));
        mail.send("CANCEL", mail.event("single", "SEQUENCE:1"));
        assertThat(mail.starts()).isEmpty();

        String series = mail.event("series", "RRULE:FREQ=DAILY;COUNT=3");
        String moved = mail.event("series", "RECURRENCE-ID:20990106T100000Z", "DTSTART:20990120T100000Z");
        mail.send("REQUEST", series, moved);
        assertThat(mail.starts()).hasSize(3);
        mail.send("CANCEL", mail.event("series", "SEQUENCE:1", "RRULE:FREQ=DAILY;COUNT=3"));
        assertThat(mail.starts()).isEmpty();
        mail.send("REQUEST", mail.event("series", "SEQUENCE:2", "RRULE:FREQ=DAILY;COUNT=3"));
        assertThat(mail.starts()).contains("2099-01-20T10:00:00").hasSize(3);
    }

    @Test
    void anOwnSeriesThatIsCancelledHasNoDateLeft() {
        InvitingMail mail = mail();
        CalendarProbe calendar = mail.calendar();
        String id = calendar.series("2099-01-05T10:00:00", "FREQ=DAILY;COUNT=5");
        calendar.patch("/events/" + id + "_t20990106T100000", "{'title':'Kept','status':'confirmed'}")
                .is(200);
        calendar.patch("/events/" + id + "_t20990107T100000?mode=future", "{'status':'tentative'}")
                .is(200);
        calendar.patch("/events/" + id, "{'status':'cancelled'}").is(200);
        assertThat(mail.starts()).isEmpty();
        calendar.patch("/events/" + id, "{'status':'confirmed'}").is(200);
        assertThat(mail.starts()).hasSize(5);
    }

    @Test
    void aCancellationThatComesFirstCountsForTheSameOrganizerAndStateAlone() {
        InvitingMail mail = mail();
        mail.send("CANCEL", mail.event("early", "SEQUENCE:1"));
        assertThat(mail.send("REQUEST", mail.event("early", "SEQUENCE:1"))).isEqualTo(OLDER);
        assertThat(mail.ids()).isEmpty();
        assertThat(mail.send("REQUEST", mail.event("early", "SEQUENCE:2"))).isEqualTo(TAKEN);

        mail.send("CANCEL", mail.event("dated", "RECURRENCE-ID:20990106T090000Z"));
        mail.send("REQUEST", mail.event("dated", "DTSTART:20990105T090000Z", "RRULE:FREQ=DAILY;COUNT=3"));
        mail.send(
                "CANCEL",
                mail.event("other", "SEQUENCE:1", "ORGANIZER:mailto:li@boss.test", "ATTENDEE:mailto:a@b.test"));
        assertThat(mail.send("REQUEST", mail.event("other", "DTSTART:20990110T100000Z")))
                .isEqualTo(TAKEN);
        assertThat(mail.starts())
                .isEqualTo(List.of(
                        "2099-01-05T09:00:00", "2099-01-05T10:00:00", "2099-01-07T09:00:00", "2099-01-10T10:00:00"));
    }

    @Test
    void anAnswerToADateNamesIt() {
        InvitingMail mail = mail();
        mail.send("REQUEST", date(mail, "05"));
        Object id = mail.ids().getFirst();
        mail.calendar()
                .post("/events/" + id + "/respond", "{'status':'accepted'}")
                .is(200);
        mail.calendar()
                .post("/events/" + id + "/respond", "{'status':'declined'}")
                .is(200);
        List<CalendarMail> sent = SentCalendars.await(world, mail.calendar(), 2);
        assertThat(sent)
                .allSatisfy(each -> assertThat(each.unfolded()).contains("\r\nRECURRENCE-ID:20990105T100000Z\r\n"));
        assertThat(sent.stream().map(SentCalendars::stamp).distinct()).hasSize(2);
    }

    @Test
    void aCancelledEventIsNotAnswered() {
        InvitingMail mail = mail();
        mail.send("REQUEST", mail.event("gone", "RRULE:FREQ=DAILY;COUNT=3"));
        Object id = mail.ids().getFirst();
        mail.send("CANCEL", mail.event("gone", "SEQUENCE:1"));
        for (String one : List.of(id.toString(), id + "_t20990106T100000")) {
            assertThat(mail.calendar()
                            .post("/events/" + one + "/respond", "{'status':'accepted'}")
                            .is(409)
                            .text("code"))
                    .isEqualTo("calendar_response_invalid");
        }
        assertThat(SentCalendars.of(world, mail.calendar())).isEmpty();
    }

    @Test
    void aMailThatNamesADateTwiceMakesItOnce() {
        InvitingMail mail = mail();
        assertThat(mail.send("REQUEST", date(mail, "05"), date(mail, "05"))).isEqualTo(TAKEN);
        assertThat(mail.starts()).isEqualTo(List.of("2099-01-05T10:00:00"));
        assertThat(mail.send("REQUEST", date(mail, "06"), moved(mail, 1, "15"), moved(mail, 2, "16")))
                .isEqualTo(TAKEN);
        assertThat(mail.starts()).isEqualTo(List.of("2099-01-05T10:00:00", "2099-01-16T10:00:00"));
    }

    private static String moved(InvitingMail mail, int sequence, String day) {
        String start = "DTSTART:209901" + day + "T100000Z";
        return mail.event("single", "RECURRENCE-ID:20990106T100000Z", start, "SEQUENCE:" + sequence);
    }

    @Test
    @Tag("long")
    void mailsTogetherMakeNoMoreDatesThanASeriesTakesInAndAllAreCancelled() {
        InvitingMail mail = mail();
        mail.send("REQUEST", days(mail, 0));
        mail.send("REQUEST", days(mail, 200));
        assertThat(mail.calendar().get("").is(200).at("event_count")).isEqualTo(366L);
        assertThat(mail.send("CANCEL", mail.event("single", "SEQUENCE:1"))).isEqualTo(TAKEN);
        assertThat(mail.starts()).isEmpty();
    }

    private static String[] days(InvitingMail mail, int first) {
        return IntStream.range(first, first + 200)
                .mapToObj(n -> LocalDate.of(2099, 1, 1).plusDays(n).format(DateTimeFormatter.BASIC_ISO_DATE))
                .map(day -> mail.event("single", "RECURRENCE-ID:" + day + "T100000Z", "DTSTART:" + day + "T100000Z"))
                .toArray(String[]::new);
    }

    @Test
    void anOlderInvitationToADateRevivesNoCancelledSeries() {
        InvitingMail mail = mail();
        mail.send("REQUEST", mail.event("series", "SEQUENCE:1", "RRULE:FREQ=DAILY;COUNT=3"));
        mail.send("CANCEL", mail.event("series", "SEQUENCE:2"));
        String name = "RECURRENCE-ID:20990106T100000Z";
        assertThat(mail.send("REQUEST", mail.event("series", name, "SEQUENCE:1", "DTSTAMP:20260101T000001Z")))
                .isEqualTo(OLDER);
        assertThat(mail.starts()).isEmpty();
        assertThat(mail.send("REQUEST", mail.event("series", name, "SEQUENCE:3")))
                .isEqualTo(TAKEN);
        assertThat(mail.starts()).hasSize(1);
    }

    @Test
    void aWholeCancellationAfterADateCountsForTheSeriesThatComesLate() {
        InvitingMail mail = mail();
        mail.send("REQUEST", date(mail, "05"));
        assertThat(mail.send("CANCEL", mail.event("single", "SEQUENCE:1"))).isEqualTo(TAKEN);
        assertThat(mail.send("REQUEST", mail.event("single", "RRULE:FREQ=DAILY;COUNT=3")))
                .isEqualTo(OLDER);
        assertThat(mail.starts()).isEmpty();
    }

    @Test
    void earlyCancellationsOfOtherOrganizersAndOlderOnesReplaceNone() {
        InvitingMail mail = mail();
        mail.send("CANCEL", mail.event("early", "SEQUENCE:2"));
        mail.send("CANCEL", mail.event("early", "SEQUENCE:1"));
        String other = "li@boss.test";
        String cancel = mail.event("early", "SEQUENCE:3", "ORGANIZER:mailto:" + other, "ATTENDEE:mailto:a@b.test");
        mail.sendAs(other, mail.calendar().inbox(), "CANCEL", cancel);
        assertThat(mail.send("REQUEST", mail.event("early", "SEQUENCE:2"))).isEqualTo(OLDER);
        assertThat(mail.send("REQUEST", mail.event("early", "SEQUENCE:3"))).isEqualTo(TAKEN);
    }
}
