package dev.inboxd.calendar.invitation;

import static dev.inboxd.testing.JsonText.json;
import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.http.HttpProbe;
import dev.inboxd.calendar.CalendarProbe;
import dev.inboxd.server.World;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Invitations count as sends, before anything is stored (calendar.md §7). */
class InvitationLimitsHttpTest {
    @RegisterExtension
    private static final World world = World.start(Map.of("INBOXD_LIMITS", "sends_per_day=3"));

    @Test
    void overTheLimitNothingIsStoredChargedOrMailed() {
        CalendarProbe calendar = new CalendarProbe(world);
        String event = "{'title':'Plan','start':'2099-01-15T14:00:00','end':'2099-01-15T14:30:00','send_invites':true,"
                + "'attendees':[{'email':'a@x.test'},{'email':'b@x.test'}";
        HttpProbe.Answer refused = calendar.create(event + ",{'email':'c@x.test'},{'email':'d@x.test'}]}")
                .is(429);
        assertThat(refused.text("code")).isEqualTo("rate_limit_exceeded");
        assertThat(calendar.list("/events")).isEmpty();
        assertThat(calendar.types()).isEmpty();
        String id = calendar.create(event + "]}").is(201).text("event.event_id");
        assertThat(world.http()
                        .with("If-Match", "\"rv-9\"")
                        .patch(calendar.path("/events/" + id), json("title", "x", "send_invites", true))
                        .is(412)
                        .text("code"))
                .isEqualTo("precondition_failed");
        calendar.patch("/events/" + id, "{'title':'More','send_invites':true}").is(429);
        assertThat(calendar.get("/events/" + id).text("title")).isEqualTo("Plan");
        calendar.patch("/events/" + id, "{'attendees':[{'email':'a@x.test'}],'send_invites':true}")
                .is(200);
        world.http()
                .delete(calendar.path("/events/" + id + "?send_invites=true"))
                .is(429);
        assertThat(calendar.list("/events", "status")).isEqualTo(List.of("confirmed"));
        world.http()
                .post("/v0/inboxes/" + calendar.inbox() + "/messages/send", json("to", "a@x.test", "text", "x"))
                .is(429);
    }
}
