package dev.inboxd.calendar.invitation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.calendar.CalendarProbe;
import dev.inboxd.server.World;
import dev.inboxd.testing.Eventually;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What becomes of invitations, and whose they are (rulings 154, 157 to 160). */
class ImportOutcomeHttpTest {
    private static final Map<String, String> TAKEN = Map.of("status", "taken");
    private static World world;

    @BeforeAll
    static void start() {
        world = InvitingMail.world();
    }

    @AfterAll
    static void stop() {
        world.close();
    }

    private InvitingMail mail;

    @BeforeEach
    void begin() {
        mail = new InvitingMail(world, new CalendarProbe(world));
    }

    @ParameterizedTest
    @CsvSource({
        "ORGANIZER:mailto:eve@eve.test, REQUEST, not_the_organizer",
        "ORGANIZER;SENT-BY=\"mailto:boss@boss.test\":mailto:eve@eve.test, REQUEST, not_the_organizer",
        "DTSTART;TZID=Nowhere:20990105T100000, REQUEST, unknown_zone",
        "RRULE:FREQ=SECONDLY, REQUEST, too_large",
        "DTSTART:tomorrow, REQUEST, malformed",
        "EXRULE:FREQ=DAILY, REQUEST, malformed",
        "SUMMARY:Ticket, PUBLISH, not_invited",
        "SUMMARY:Nobody, REPLY, not_invited",
        "SUMMARY:Nothing, CANCEL, older"
    })
    void aMessageSaysWhyItsInvitationWasIgnored(String line, String method, String reason) {
        assertThat(mail.send(method, mail.event("why-" + reason, line)))
                .isEqualTo(Map.of("status", "ignored", "reason", reason));
        assertThat(mail.ids()).isEmpty();
    }

    @Test
    void listsAndMailWithoutACalendarSayNothing() {
        assertThat(mail.send("REQUEST", mail.event("list"))).isEqualTo(TAKEN);
        String messages = "/v0/inboxes/" + mail.calendar().inbox() + "/messages";
        assertThat(world.http().get(messages).is(200).list("messages"))
                .allSatisfy(item -> assertThat(((Map<?, ?>) item).containsKey("calendar_import"))
                        .isFalse());
        assertThat(mail.send("REQUEST", mail.event("list", "DTSTAMP:20250101T000000Z")))
                .isEqualTo(Map.of("status", "ignored", "reason", "older"));
    }

    @Test
    void anInvitationToATagIsOneToTheInbox() {
        String tagged = mail.calendar().inbox().replace("@", "+Sales@");
        mail.sendAs(
                InvitingMail.BOSS,
                tagged,
                "REQUEST",
                mail.event("tag", "ATTENDEE;CN=Bot:MAILTO:" + tagged, "RRULE:FREQ=DAILY;COUNT=3"));
        Object id = mail.ids().getFirst();
        assertThat(mail.of(id, "response_status")).isEqualTo("needs_action");
        mail.calendar()
                .post("/events/" + id + "_t20990106T100000/respond", "{'status':'declined'}")
                .is(200);
        assertThat(SentCalendars.await(world, mail.calendar(), 1)
                        .getFirst()
                        .unfolded()
                        .toLowerCase(Locale.ROOT))
                .contains("mailto:" + tagged.toLowerCase(Locale.ROOT));
    }

    @Test
    void anOrganizerBehindARelayIsTheOneThatEmailNames() {
        String relay = "ORGANIZER;EMAIL=boss@boss.test:mailto:2_token@relay.test";
        assertThat(mail.send("REQUEST", mail.event("relay", relay))).isEqualTo(TAKEN);
        Object id = mail.ids().getFirst();
        assertThat(mail.of(id, "organizer_email")).isEqualTo("boss@boss.test");
        mail.calendar()
                .post("/events/" + id + "/respond", "{'status':'accepted'}")
                .is(200);
        CalendarMail answer = SentCalendars.await(world, mail.calendar(), 1).getFirst();
        assertThat(answer.message().headers())
                .anyMatch(field ->
                        field.name().equalsIgnoreCase("To") && field.value().contains("2_token@relay.test"));
        assertThat(mail.send("REQUEST", mail.event("forged", "ORGANIZER;EMAIL=eve@eve.test:mailto:eve@relay.test")))
                .isEqualTo(Map.of("status", "ignored", "reason", "not_the_organizer"));
    }

    @Test
    void anUpdateThatMovesNothingKeepsTheAnswer() {
        mail.send("REQUEST", mail.event("keep"));
        Object id = mail.ids().getFirst();
        mail.calendar()
                .post("/events/" + id + "/respond", "{'status':'accepted','send_reply':false}")
                .is(200);
        mail.send("REQUEST", mail.event("keep", "SEQUENCE:1", "DESCRIPTION:Agenda"));
        assertThat(mail.of(id, "response_status")).isEqualTo("accepted");
        mail.send(
                "REQUEST",
                mail.event(
                        "keep",
                        "SEQUENCE:2",
                        "DTSTART;TZID=Europe/Berlin:20990105T110000",
                        "DTEND;TZID=Europe/Berlin:20990105T120000"));
        assertThat(mail.of(id, "response_status")).isEqualTo("accepted");
        mail.send("REQUEST", mail.event("keep", "SEQUENCE:3", "DTSTART:20990106T100000Z"));
        assertThat(mail.of(id, "response_status")).isEqualTo("needs_action");
    }

    @Test
    @Tag("long")
    void anAnswerIsComparedWithTheSequenceOfItsDate() {
        CalendarProbe calendar = mail.calendar();
        String id = calendar.create("{'title':'Ours','start':'2099-01-05T10:00:00','end':'2099-01-05T11:00:00',"
                        + "'timezone':'UTC','recurrence':{'rule':'FREQ=DAILY;COUNT=3'},'send_invites':true,"
                        + "'attendees':[{'email':'boss@boss.test'}]}")
                .is(201)
                .text("event.event_id");
        String uid = calendar.get("/events/" + id).is(200).text("uid");
        String date = id + "_t20990106T100000";
        for (int hour : List.of(11, 15)) {
            calendar.patch(
                            "/events/" + date,
                            "{'start':'2099-01-06T%d:00:00','end':'2099-01-06T%d:30:00',".formatted(hour, hour)
                                    + "'send_invites':true}")
                    .is(200);
        }
        String[] answer = {"RECURRENCE-ID:20990106T100000Z", "ATTENDEE;PARTSTAT=DECLINED:mailto:boss@boss.test"};
        assertThat(mail.send("REPLY", mail.event(uid, answer[0], answer[1], "SEQUENCE:1")))
                .isEqualTo(Map.of("status", "ignored", "reason", "older"));
        assertThat(mail.send("REPLY", mail.event(uid, answer[0], answer[1], "SEQUENCE:2")))
                .isEqualTo(TAKEN);
        // The same second again, with another mind.
        String again = answer[1].replace("DECLINED", "ACCEPTED");
        assertThat(mail.send("REPLY", mail.event(uid, answer[0], again, "SEQUENCE:2")))
                .isEqualTo(TAKEN);
        assertThat(calendar.get("/events/" + date).is(200).text("attendees.0.status"))
                .isEqualTo("accepted");
    }

    @Test
    void mailBehindAStopLeavesWhenTheStopEnds() {
        CalendarProbe calendar = mail.calendar();
        world.http().post("/v0/organizations/stop", "{}").is(200);
        calendar.create("{'title':'Held','start':'2099-01-05T10:00:00','end':'2099-01-05T11:00:00','send_invites':true,"
                        + "'attendees':[{'email':'jo@else.test'}]}")
                .is(201);
        Eventually.await(() -> world.database()
                        .read(tx -> tx.sqlAcrossTenants("select count(*) as n from job j where j.kind = 'calendar.mail'"
                                        + " and j.attempts > 0")
                                .single(row -> row.integer("n")))
                > 0);
        assertThat(SentCalendars.of(world, calendar)).isEmpty();
        world.as(world.session()).post("/v0/organizations/resume", "{}").is(200);
        Eventually.await(
                Duration.ofSeconds(12), () -> SentCalendars.of(world, calendar).size() == 1);
    }
}
