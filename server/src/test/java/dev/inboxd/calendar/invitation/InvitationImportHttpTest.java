package dev.inboxd.calendar.invitation;

import static dev.inboxd.testing.JsonText.json;
import static dev.inboxd.testing.JsonText.object;
import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.http.HttpProbe;
import dev.inboxd.calendar.CalendarProbe;
import dev.inboxd.server.World;
import dev.inboxd.testing.Eventually;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What invitations between two inboxes of one server do, without any DNS (calendar.md §7). */
class InvitationImportHttpTest {
    @RegisterExtension
    private static final World world = World.start();

    private static final String TIME =
            "'start':'2099-01-15T14:00:00','end':'2099-01-15T14:30:00'," + "'timezone':'America/New_York'";

    @Test
    void twoAgentsInviteAnswerMoveAndCancel() {
        CalendarProbe host = new CalendarProbe(world);
        CalendarProbe guest = new CalendarProbe(world);
        HttpProbe.Answer made = host.create("{'title':'Plan','description':'Both'," + TIME
                        + ",'send_invites':true,'attendees':[{'email':'" + guest.inbox() + "'}]}")
                .is(201);
        String id = made.text("event.event_id");
        Map<?, ?> invited = event(guest, "Plan");
        assertThat(invited.get("source")).isEqualTo("email");
        assertThat(invited.get("uid")).isEqualTo(made.text("event.uid"));
        assertThat(invited.get("organizer_email")).isEqualTo(host.inbox());
        assertThat(invited.get("response_status")).isEqualTo("needs_action");
        assertThat(invited.get("start_at")).isEqualTo(made.text("event.start_at"));
        assertThat(invited.get("timezone")).isEqualTo("America/New_York");
        assertThat(invited.get("description")).isEqualTo("Both");
        String own = String.valueOf(invited.get("event_id"));
        HttpProbe.Answer mail =
                world.http().get("/v0/inboxes/" + guest.inbox() + "/messages").is(200);
        assertThat(mail.text("messages.0.calendar_event_id")).isEqualTo(own);
        assertThat(invited.get("origin_message_id")).isEqualTo(mail.text("messages.0.message_id"));

        guest.post("/events/" + own + "/respond", "{'status':'accepted','comment':'Gladly'}")
                .is(200);
        Eventually.await(() -> "accepted".equals(host.get("/events/" + id).text("attendees.0.status")));
        HttpProbe.Answer answered = host.get("/events/" + id);
        assertThat(answered.text("attendees.0.comment")).isEqualTo("Gladly");
        assertThat(answered.text("attendees.0.responded_at")).isNotNull();
        assertThat(host.types()).endsWith("responded");

        host.patch("/events/" + id, "{'start':'2099-01-16T14:00:00','end':'2099-01-16T14:30:00','send_invites':true}")
                .is(200);
        Eventually.await(
                () -> "2099-01-16T14:00:00".equals(guest.get("/events/" + own).text("start")));
        assertThat(guest.get("/events/" + own).text("response_status")).isEqualTo("needs_action");
        assertThat(guest.types()).filteredOn("updated"::equals).hasSize(1);

        world.http().delete(host.path("/events/" + id + "?send_invites=true")).is(202);
        Eventually.await(() -> "cancelled".equals(guest.get("/events/" + own).text("status")));
    }

    @Test
    @Tag("long")
    void aSeriesWithItsDatesIsTheSameOnBothSides() {
        CalendarProbe host = new CalendarProbe(world);
        CalendarProbe guest = new CalendarProbe(world);
        String id = host.create("{'title':'Daily'," + TIME
                        + ",'recurrence':{'rule':'FREQ=DAILY;COUNT=10'},'send_invites':true,'attendees':[{'email':'"
                        + guest.inbox() + "'}]}")
                .is(201)
                .text("event.event_id");
        String own = String.valueOf(event(guest, "Daily").get("event_id"));
        assertThat(dates(guest, own)).isEqualTo(dates(host, id)).hasSize(10);
        host.patch(
                        "/events/" + id + "_t20990116T140000",
                        "{'start':'2099-01-16T16:00:00','end':'2099-01-16T17:00:00','title':'Late',"
                                + "'send_invites':true}")
                .is(200);
        Eventually.await(() ->
                "Late".equals(guest.get("/events/" + own + "_t20990116T140000").text("title")));
        world.http()
                .delete(host.path("/events/" + id + "_t20990117T140000?send_invites=true"))
                .is(202);
        Eventually.await(() -> "cancelled"
                .equals(guest.get("/events/" + own + "_t20990117T140000").text("status")));
        assertThat(dates(guest, own)).isEqualTo(dates(host, id)).hasSize(9);
        guest.post("/events/" + own + "_t20990118T140000/respond", "{'status':'declined'}")
                .is(200);
        Eventually.await(() -> "declined"
                .equals(host.get("/events/" + id + "_t20990118T140000").text("attendees.0.status")));
        assertThat(host.get("/events/" + id).text("attendees.0.status")).isEqualTo("needs_action");
        world.http()
                .delete(host.path("/events/" + id + "_t20990120T140000?mode=future&send_invites=true"))
                .is(202);
        Eventually.await(() -> dates(guest, own).size() == 4);
        assertThat(dates(guest, own)).isEqualTo(dates(host, id));
    }

    @Test
    void aKeyThatMayNotReadEventsSeesNoneInMessages() {
        CalendarProbe host = new CalendarProbe(world);
        CalendarProbe guest = new CalendarProbe(world);
        String attendees = "'attendees':[{'email':'" + guest.inbox() + "'}]";
        host.create("{'title':'Quiet'," + TIME + ",'send_invites':true," + attendees + "}")
                .is(201);
        String own = String.valueOf(event(guest, "Quiet").get("event_id"));
        String inbox = "/v0/inboxes/" + guest.inbox();
        HttpProbe.Answer mail = world.http().get(inbox + "/messages").is(200);
        String message = mail.text("messages.0.message_id");
        String thread = mail.text("messages.0.thread_id");
        Eventually.await(() ->
                world.http().get(inbox + "/messages/search?q=Quiet").text().contains(own));
        List<String> paths = List.of(
                "/messages",
                "/messages/" + URLEncoder.encode(message, StandardCharsets.UTF_8),
                "/threads/" + thread,
                "/messages/search?q=Quiet",
                "/messages/wait?since=2020-01-01T00:00:00Z&timeout=0");
        HttpProbe narrow = world.as(world.http()
                .post("/v0/api-keys", json("permissions", object("message_read", true, "inbox_read", true)))
                .is(200)
                .text("api_key"));
        for (String path : paths) {
            assertThat(world.http().get(inbox + path).is(200).text()).as(path).contains(own);
            assertThat(narrow.get(inbox + path).is(200).text())
                    .as(path)
                    .contains(thread)
                    .doesNotContain(own)
                    .doesNotContain("calendar_event_id");
        }
        String batch = json("message_ids", List.of(message));
        assertThat(world.http()
                        .post(inbox + "/messages/batch-get", batch)
                        .is(200)
                        .text())
                .contains(own);
        assertThat(narrow.post(inbox + "/messages/batch-get", batch).is(200).text())
                .contains(thread)
                .doesNotContain("calendar_event_id");
    }

    private static List<?> dates(CalendarProbe calendar, String id) {
        return calendar.list(
                "/events/" + id + "/instances?after=2099-01-01T00:00:00Z&before=2099-03-01T00:00:00Z", "start_at");
    }

    private static Map<?, ?> event(CalendarProbe calendar, String title) {
        Eventually.await(() -> calendar.list("/events", "title").contains(title));
        return calendar.list("/events").stream()
                .filter(event -> title.equals(event.get("title")))
                .findFirst()
                .orElseThrow();
    }
}
