package dev.inboxd.calendar.invitation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.calendar.CalendarProbe;
import dev.inboxd.server.World;
import dev.inboxd.testing.Eventually;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** An edit of a date and those that follow reaches attendees in other programs as two series (ruling 160). */
class FollowingDatesMailHttpTest {
    private static World world;

    @BeforeAll
    static void start() {
        world = InvitingMail.world();
    }

    @AfterAll
    static void stop() {
        world.close();
    }

    private CalendarProbe host;
    private InvitingMail guest;

    @BeforeEach
    void begin() {
        host = new CalendarProbe(world);
        guest = new InvitingMail(world, new CalendarProbe(world));
    }

    private String series() {
        return host.create("{'title':'Plan','start':'2099-01-05T10:00:00','end':'2099-01-05T11:00:00',"
                        + "'timezone':'UTC','recurrence':{'rule':'FREQ=DAILY;COUNT=6'},'send_invites':true,"
                        + "'attendees':[{'email':'" + guest.calendar().inbox() + "'}]}")
                .is(201)
                .text("event.event_id");
    }

    private void starts(String... days) {
        List<String> wanted =
                Stream.of(days).map(day -> "2099-01-" + day + ":00:00").toList();
        Eventually.await(() -> guest.starts().equals(wanted));
    }

    private Map<?, ?> part(String uid) {
        Eventually.await(() -> guest.calendar().list("/events?limit=100", "uid").contains(uid));
        return guest.calendar().list("/events?limit=100").stream()
                .filter(event -> uid.equals(event.get("uid")))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void theSeriesEndsAndTheRestIsASeriesOfItsOwn() {
        String id = series();
        starts("05T10", "06T10", "07T10", "08T10", "09T10", "10T10");
        host.patch("/events/" + id + "_t20990107T100000?mode=future", "{'location':'Room 9','send_invites':true}")
                .is(200);
        String uid = host.get("/events/" + id).is(200).text("uid");
        Map<?, ?> rest = part(uid + "-R20990107T100000");
        assertThat(rest.get("location")).isEqualTo("Room 9");
        starts("05T10", "06T10", "07T10", "08T10", "09T10", "10T10");
        assertThat(SentCalendars.await(world, host, 3))
                .extracting(mail -> SentCalendars.property(mail, "UID:") + " " + SentCalendars.property(mail, "RRULE:"))
                .contains(
                        uid + " FREQ=DAILY;UNTIL=20990107T095959Z",
                        uid + "-R20990107T100000 FREQ=DAILY;UNTIL=20990110T100000Z");

        host.patch(
                        "/events/" + id + "_t20990108T100000",
                        "{'start':'2099-01-08T15:00:00'," + "'end':'2099-01-08T16:00:00','send_invites':true}")
                .is(200);
        starts("05T10", "06T10", "07T10", "08T15", "09T10", "10T10");
        world.http()
                .delete(host.path("/events/" + id + "_t20990109T100000?mode=future&send_invites=true"))
                .is(202);
        starts("05T10", "06T10", "07T10", "08T15");
        host.patch("/events/" + id, "{'status':'cancelled','send_invites':true}")
                .is(200);
        starts();
    }

    @Test
    void anAnswerToTheRestIsNoneToWhatWasBefore() {
        String id = series();
        starts("05T10", "06T10", "07T10", "08T10", "09T10", "10T10");
        host.patch("/events/" + id + "_t20990107T100000?mode=future", "{'title':'Late','send_invites':true}")
                .is(200);
        String uid = host.get("/events/" + id).is(200).text("uid");
        answer(part(uid + "-R20990107T100000"), "declined");
        Eventually.await(() -> "declined".equals(status(id, "10")));
        answer(part(uid), "accepted");
        Eventually.await(() -> "accepted".equals(status(id, "06")));
        assertThat(status(id, "07")).isEqualTo("declined");
        assertThat(status(id, "05")).isEqualTo("accepted");
    }

    private void answer(Map<?, ?> event, String status) {
        guest.calendar()
                .post("/events/" + event.get("event_id") + "/respond", "{'status':'" + status + "'}")
                .is(200);
    }

    private String status(String id, String day) {
        return host.get("/events/" + id + "_t209901" + day + "T100000").is(200).text("attendees.0.status");
    }

    @Test
    @Tag("long")
    void aSeriesThatIsDeletedIsCancelledInAllItsParts() {
        String id = series();
        host.patch("/events/" + id + "_t20990107T100000?mode=future", "{'title':'Late','send_invites':true}")
                .is(200);
        host.patch("/events/" + id + "_t20990109T100000?mode=future", "{'location':'Hall','send_invites':true}")
                .is(200);
        starts("05T10", "06T10", "07T10", "08T10", "09T10", "10T10");
        world.http().delete(host.path("/events/" + id + "?send_invites=true")).is(202);
        starts();
    }
}
