package dev.inboxd.calendar.event;

import static dev.inboxd.testing.JsonText.json;
import static dev.inboxd.testing.JsonText.members;
import static dev.inboxd.testing.JsonText.rawJson;
import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.http.HttpProbe;
import dev.inboxd.base.json.Json;
import dev.inboxd.calendar.CalendarFixture;
import dev.inboxd.calendar.CalendarProbe;
import dev.inboxd.net.FakeEndpoint;
import dev.inboxd.notify.stream.SocketProbe;
import dev.inboxd.server.World;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Who is told of calendars, and how (calendar.md §8). */
class CalendarEventsHttpTest {
    private static final String TYPES = members(
            "event_types",
            List.of(
                    "calendar.event.created",
                    "calendar.event.updated",
                    "calendar.event.deleted",
                    "calendar.event.responded",
                    "calendar.event.starting",
                    "calendar.event.ending"));

    @RegisterExtension
    private static final World world = World.start();

    @Test
    void aWebhookAndASocketGetTheSameBytesInTheDocumentedOrder() throws IOException {
        CalendarProbe calendar = new CalendarProbe(world);
        try (FakeEndpoint endpoint = FakeEndpoint.start();
                SocketProbe socket = SocketProbe.open(world.httpPort(), world.key())
                        .subscribe("""
                        ,%s,"inbox_ids":["%s"]""".formatted(TYPES, calendar.inbox()))) {
            world.http()
                    .post("/v0/webhooks", """
                    {"url":"%s",%s,"inbox_ids":["%s"]}""".formatted(endpoint.url("/hook"), TYPES, calendar.inbox()))
                    .is(200);
            HttpProbe.Answer made = calendar.create("{'title':'Call','start':'2099-10-15T14:00:00',"
                            + "'end':'2099-10-15T14:30:00','description':'D','location':'L',"
                            + "'metadata':{'z':null,'a':[1.0,1e21,0.0000001,{'attendees':[{'name':'x','email':'y'}]}]},"
                            + "'attendees':[{'email':'a@x.test','name':'A','comment':'C'}],"
                            + "'recurrence':{'rule':'FREQ=WEEKLY','rdates':[{'start':'2099-10-16T14:00:00',"
                            + "'duration':'PT1H'}],'exdates':['2099-10-22T14:00:00']}}")
                    .is(201);
            String body = endpoint.take().text();
            assertThat(socket.next().text()).isEqualTo(body);
            Map<?, ?> event = CalendarProbe.object(Json.stored(body));
            assertThat(event.get("event_id")).isEqualTo(made.text("operation_id"));
            assertThat(event.keySet().stream().map(String::valueOf))
                    .containsExactly(
                            "type",
                            "event_type",
                            "event_id",
                            "inbox_id",
                            "calendar_event",
                            "organization_id",
                            "pod_id");
            String answered = Objects.requireNonNull(made.text())
                    .replaceFirst("^\\{\"event\":", "")
                    .replaceFirst(",\"operation_id\":\"[^\"]+\"}$", "")
                    .replaceFirst(",\"etag\":\"[^\"]*\\\\\"[^\"]*\\\\\"\"", "");
            assertThat(body)
                    .contains(members(
                            "calendar_event",
                            rawJson(answered.replace("{\"z\":null,\"a\":", "{\"a\":")
                                    .replace("]},\"status\"", "],\"z\":null},\"status\""))));
            assertThat(body).contains("[1,1e+21,1e-7,");
            String id = made.text("event.event_id");
            calendar.patch("/events/" + id, "{'title':'Other'}").is(200);
            Map<?, ?> updated = CalendarProbe.object(Json.stored(endpoint.take().text()));
            assertThat(updated.get("previous")).isEqualTo(Map.of("title", "Call"));
            assertThat(List.copyOf(updated.keySet()).indexOf("previous")).isEqualTo(5);
            socket.next();
            CalendarFixture.receive(world.database(), world.organization(), id, calendar.inbox());
            calendar.post("/events/" + id + "/respond", "{'status':'accepted','comment':'Yes','send_reply':false}")
                    .is(200);
            Map<?, ?> responded = CalendarProbe.object(
                    CalendarProbe.object(Json.stored(socket.next().text())).get("calendar_event"));
            assertThat(responded.get("response_status")).isEqualTo("accepted");
            assertThat(CalendarProbe.object(((List<?>) Objects.requireNonNull(responded.get("attendees"))).getFirst())
                            .get("comment"))
                    .isEqualTo("Yes");
        }
    }

    @Test
    void anAnswerIsOfTheInboxAloneForTheWholeOrForADate() {
        CalendarProbe calendar = new CalendarProbe(world);
        String id = calendar.series("2099-10-07T09:00:00", "FREQ=WEEKLY");
        CalendarFixture.receive(world.database(), world.organization(), id, calendar.inbox());
        assertThat(calendar.get("/events/" + id).text("response_status")).isEqualTo("needs_action");
        HttpProbe.Answer answered = calendar.post(
                        "/events/" + id + "/respond", "{'status':'accepted','send_reply':false}")
                .is(200);
        assertThat(answered.at("event.resource_revision")).isEqualTo(1L);
        assertThat(answered.at("event.attendees.0.responded_at")).isEqualTo(answered.at("event.updated_at"));
        String date = id + "_t20991014T090000";
        HttpProbe.Answer declined = calendar.post(
                        "/events/" + date + "/respond", "{'status':'declined','send_reply':false}")
                .is(200);
        assertThat(declined.at("event.response_status")).isEqualTo("declined");
        assertThat(declined.at("event.is_exception")).isEqualTo(true);
        assertThat(calendar.list(
                        "/events/" + id + "/instances?after=2099-10-01T00:00:00Z&before=2099-10-30T00:00:00Z",
                        "response_status"))
                .isEqualTo(List.of("accepted", "declined", "accepted", "accepted"));
        assertThat(calendar.types()).containsExactly("created", "responded", "responded");
        assertThat(calendar.patch("/events/" + id, "{'title':'B','send_invites':true}")
                        .is(409)
                        .text("code"))
                .isEqualTo("calendar_response_invalid");
        assertThat(calendar.patch("/events/" + id, "{'title':'B'}").is(200).at("event.sequence"))
                .as("the organizer's sequence")
                .isEqualTo(0L);
        assertThat(world.http()
                        .delete(calendar.path("/events/" + id + "?send_invites=true"))
                        .is(409)
                        .text("code"))
                .isEqualTo("calendar_response_invalid");
        calendar.delete("/events/" + id).is(202);
    }

    @Test
    void aKeyThatMayNotReadEventsSeesNoneAnywhere() {
        CalendarProbe calendar = new CalendarProbe(world);
        String key = world.http().post("/v0/api-keys", """
                {"permissions":{"message_read":true,"inbox_read":true,"webhook_read":true,"webhook_create":true,
                "webhook_update":true,"calendar_read":true,"calendar_event_create":true}}""").is(200).text("api_key");
        HttpProbe narrow = world.as(key);
        calendar.create("{'title':'canary','start':'2099-10-15T14:00:00','end':'2099-10-15T14:30:00','client_id':'c'}")
                .is(201);
        HttpProbe.Answer feed =
                narrow.get("/v0/events?limit=100&inbox_ids=" + calendar.inbox()).is(200);
        assertThat(feed.text()).doesNotContain("canary");
        assertThat(narrow.get("/v0/inboxes/" + calendar.inbox() + "/events")
                        .is(200)
                        .text())
                .doesNotContain("canary");
        for (String path : List.of("/v0/webhooks", "/v0/webhooks/polling")) {
            String client = path.endsWith("polling")
                    ? "," + members("client_id", "narrow")
                    : "," + members("url", "http://127.0.0.1:9/");
            assertThat(narrow.post(path, "{" + TYPES + client + "}").is(403).text("code"))
                    .isEqualTo("missing_permission");
        }
        narrow.get("/v0/events?event_types=calendar.event.created").is(403);
        narrow.get(calendar.path("/events")).is(403);
        narrow.get(calendar.path("/agenda")).is(403);
        try (SocketProbe socket = SocketProbe.open(world.httpPort(), key)) {
            socket.say("""
                    {"type":"subscribe",%s}""".formatted(TYPES));
            assertThat(socket.next().text()).contains("calendar_event_read").doesNotContain("canary");
        }
        try (SocketProbe all = SocketProbe.open(world.httpPort(), world.key()).subscribe("")) {
            calendar.create("{'title':'canary','start':'2099-10-15T14:00:00','end':'2099-10-15T14:30:00'}");
            world.mail("jo@example.com", calendar.inbox(), "Subject: Mail\n\nHello.\n");
            world.http()
                    .post(
                            "/v0/inboxes/" + calendar.inbox() + "/messages/send",
                            json("to", List.of("jo@example.com"), "subject", "Sent", "text", "Hello"))
                    .is(200);
            assertThat(all.next().text("event_type"))
                    .as("nobody asked for calendars")
                    .startsWith("message.");
        }
    }
}
