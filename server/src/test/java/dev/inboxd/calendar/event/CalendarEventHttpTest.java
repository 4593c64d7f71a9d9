package dev.inboxd.calendar.event;

import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.database.View;
import dev.inboxd.base.http.HttpProbe;
import dev.inboxd.base.json.Json;
import dev.inboxd.calendar.CalendarProbe;
import dev.inboxd.server.World;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Single events: made, read, listed, deleted, and what is refused (calendar.md §2 to §4, §6). */
class CalendarEventHttpTest {
    private static final String TIMES = "'start':'2099-10-15T14:00:00','end':'2099-10-15T14:30:00'";

    @RegisterExtension
    private static final World world = World.start();

    @Test
    void aNewEventIsAnsweredWholeAndReadsTheSame() {
        CalendarProbe calendar = new CalendarProbe(world);
        HttpProbe.Answer made = calendar.create("{'title':'Call'," + TIMES + ",'timezone':'America/New_York',"
                        + "'attendees':[{'email':'J@Acme.example'}]}")
                .is(201);
        Map<?, ?> event = CalendarProbe.object(made.at("event"));
        String id = made.text("event.event_id");
        Map<String, Object> expected = new HashMap<>();
        expected.put("event_id", id);
        expected.put("kind", "single");
        expected.put("title", "Call");
        expected.put("status", "confirmed");
        expected.put("all_day", false);
        expected.put("start", "2099-10-15T14:00:00");
        expected.put("end", "2099-10-15T14:30:00");
        expected.put("timezone", "America/New_York");
        expected.put("duration_mode", "exact");
        expected.put("duration_value", 1_800_000L);
        expected.put("start_at", "2099-10-15T18:00:00.000Z");
        expected.put("end_at", "2099-10-15T18:30:00.000Z");
        expected.put(
                "attendees", List.of(Map.of("email", "j@acme.example", "status", "needs_action", "role", "required")));
        expected.put("attendee_count", 1L);
        expected.put("uid", id + "@mail.localhost");
        expected.put("sequence", 0L);
        expected.put("source", "api");
        expected.put("organizer_email", calendar.inbox());
        expected.put("resource_revision", 0L);
        expected.put("created_at", event.get("created_at"));
        expected.put("updated_at", event.get("created_at"));
        expected.put("etag", "\"rv-0\"");
        expected.put("organization_id", world.organization().toString());
        expected.put("pod_id", event.get("pod_id"));
        assertThat(event).isEqualTo(expected);
        assertThat(made.header("ETag")).isEqualTo("\"rv-0\"");
        assertThat(made.text("operation_id")).startsWith("evt_");
        HttpProbe.Answer read =
                calendar.get("/events/" + id + "?consistency=eventual").is(200);
        assertThat(read.at("")).isEqualTo(event);
        assertThat(read.header("ETag")).isEqualTo("\"rv-0\"");
        List<Map<?, ?>> list = calendar.list("/events");
        expected.remove("etag");
        assertThat(list).isEqualTo(List.of(expected));
    }

    @Test
    void metadataIsTheClientsOwnAndStaysAsItIs() {
        CalendarProbe calendar = new CalendarProbe(world);
        String metadata = "{'b':null,'a':[1.5,1e21,-0.25,{'deep':true}],'10':'x'}";
        String id = calendar.create("{'title':'A'," + TIMES + ",'metadata':" + metadata + "}")
                .is(201)
                .text("event.event_id");
        Object stored = calendar.get("/events/" + id).at("metadata");
        assertThat(stored).isEqualTo(Json.parse(metadata.replace('\'', '"').getBytes(StandardCharsets.UTF_8)));
        calendar.create("{'title':'A'," + TIMES + ",'metadata':'" + "x".repeat(16_382) + "'}")
                .is(201);
        HttpProbe.Answer large = calendar.create("{'title':'A'," + TIMES + ",'metadata':'" + "x".repeat(16_383) + "'}")
                .is(400);
        assertThat(large.at("errors.0.path")).isEqualTo(List.of("metadata"));
    }

    @Test
    void whatIsWrongIsNamedByItsPath() {
        CalendarProbe calendar = new CalendarProbe(world);
        Map<String, List<Object>> wrong = new HashMap<>();
        wrong.put("{" + TIMES + "}", List.of("title"));
        wrong.put("{'title':''," + TIMES + "}", List.of("title"));
        wrong.put("{'title':'" + "x".repeat(1_001) + "'," + TIMES + "}", List.of("title"));
        wrong.put("{'title':'A','end':'2099-10-15T14:30:00'}", List.of("start"));
        wrong.put("{'title':'A','start':'2099-10-15T14:00:00'}", List.of("end"));
        wrong.put("{'title':'A','start':'2099-10-15T14:00:00Z','end':'2099-10-15T14:30:00'}", List.of("start"));
        wrong.put("{'title':'A','start':'2099-10-15T14:00','end':'2099-10-15T14:30:00'}", List.of("start"));
        wrong.put("{'title':'A','start':'2099-02-30T14:00:00','end':'2099-10-15T14:30:00'}", List.of("start"));
        wrong.put("{'title':'A','start':'1899-12-31T14:00:00','end':'2099-10-15T14:30:00'}", List.of("start"));
        wrong.put("{'title':'A','start':'2099-10-15','end':'2099-10-15'}", List.of("start"));
        wrong.put("{'title':'A','all_day':true," + TIMES + "}", List.of("start"));
        wrong.put("{'title':'A','start':'2099-10-15T14:00:00','end':'2099-10-15T14:00:00'}", List.of("end"));
        wrong.put("{'title':'A','start':'2099-10-15T14:00:00','end':'2100-10-16T14:00:01'}", List.of("end"));
        wrong.put("{'title':'A','all_day':true,'start':'2099-10-15','end':'2099-10-14'}", List.of("end"));
        wrong.put("{'title':'A','all_day':true,'start':'2099-10-15','end':'2100-10-16'}", List.of("end"));
        wrong.put(
                "{'title':'A','all_day':true,'start':'2099-10-15','end':'2099-10-15','duration_mode':'exact'}",
                List.of("duration_mode"));
        wrong.put("{'title':'A'," + TIMES + ",'timezone':'GMT+2'}", List.of("timezone"));
        wrong.put("{'title':'A'," + TIMES + ",'status':'maybe'}", List.of("status"));
        wrong.put("{'title':'A'," + TIMES + ",'duration_mode':'long'}", List.of("duration_mode"));
        wrong.put("{'title':'A'," + TIMES + ",'location':'" + "x".repeat(1_025) + "'}", List.of("location"));
        wrong.put("{'title':'A'," + TIMES + ",'description':'" + "é".repeat(32_769) + "'}", List.of("description"));
        wrong.put("{'title':'A'," + TIMES + ",'attendees':[{'name':'J'}]}", List.of("attendees", 0L, "email"));
        wrong.put("{'title':'A'," + TIMES + ",'attendees':[{'email':'nobody'}]}", List.of("attendees", 0L, "email"));
        wrong.put(
                "{'title':'A'," + TIMES + ",'attendees':[{'email':'a@x.test'},{'email':'A@X.test'}]}",
                List.of("attendees", 1L, "email"));
        wrong.put(
                "{'title':'A'," + TIMES + ",'attendees':[{'email':'a@x.test','role':'chair'}]}",
                List.of("attendees", 0L, "role"));
        wrong.put(
                "{'title':'A'," + TIMES + ",'attendees':[{'email':'a@x.test','name':'" + "x".repeat(257) + "'}]}",
                List.of("attendees", 0L, "name"));
        wrong.put("{'title':'A'," + TIMES + ",'client_id':'a b'}", List.of("client_id"));
        wrong.put("{'title':'A'," + TIMES + ",'allDay':true}", List.of("allDay"));
        wrong.forEach((body, path) -> {
            HttpProbe.Answer refused = calendar.create(body).is(400);
            assertThat(refused.text("code")).isEqualTo("validation_error");
            assertThat(refused.at("errors.0.path")).as(body).isEqualTo(path);
        });
        assertThat(calendar.get("").at("event_count")).isEqualTo(0L);
    }

    @Test
    void theLimitsThemselvesAreAllowed() {
        CalendarProbe calendar = new CalendarProbe(world);
        calendar.create("{'title':'" + "x".repeat(1_000) + "'," + TIMES + ",'location':'" + "x".repeat(1_024)
                        + "','description':'" + "x".repeat(65_536) + "'}")
                .is(201);
        calendar.create("{'title':'A','start':'2099-10-15T14:00:00','end':'2100-10-16T14:00:00'}")
                .is(201);
        HttpProbe.Answer allDay = calendar.create("{'title':'A','all_day':true,'start':'2099-10-15','end':'2099-10-16',"
                        + "'timezone':'Europe/Berlin'}")
                .is(201);
        assertThat(allDay.at("event.duration_value")).isEqualTo(2L);
        assertThat(allDay.at("event.duration_mode")).isEqualTo("nominal");
        assertThat(allDay.at("event.start_at")).isEqualTo("2099-10-14T22:00:00.000Z");
        assertThat(allDay.at("event.end_at")).isEqualTo("2099-10-16T22:00:00.000Z");
        calendar.create("{'title':'A','start':'9999-12-31T23:00:00','end':'9999-12-31T23:30:00'}")
                .is(201);
        HttpProbe.Answer large = calendar.create("{'title':'A'," + TIMES + ",'more':'" + "x".repeat(131_072) + "'}")
                .is(413);
        assertThat(large.text("code")).isEqualTo("payload_too_large");
    }

    @Test
    void longCommentsAreDroppedAndHostileWordsAreOnlyWords() {
        CalendarProbe calendar = new CalendarProbe(world);
        HttpProbe.Answer made = calendar.create("{'title':'A\\r\\nATTENDEE:mailto:x@y.test'," + TIMES
                        + ",'attendees':[{'email':'a@x.test','name':'N\\r\\nBcc: b@x.test','comment':'"
                        + "x".repeat(4_097) + "'}]}")
                .is(201);
        assertThat(made.at("event.title")).isEqualTo("A\r\nATTENDEE:mailto:x@y.test");
        assertThat(made.at("event.attendees.0.comment")).isNull();
    }

    @Test
    void aRepeatedClientIdIsTheFirstEventAlsoAfterAnUpdateAndNeverAnother() {
        CalendarProbe calendar = new CalendarProbe(world);
        String body = "{'title':'A'," + TIMES + ",'client_id':'one'}";
        HttpProbe.Answer first = calendar.create(body).is(201);
        String id = first.text("event.event_id");
        HttpProbe.Answer again = calendar.create("{'client_id':'one', " + TIMES + ",'title':'A'}")
                .is(200);
        assertThat(again.at("")).isEqualTo(first.at(""));
        calendar.patch("/events/" + id, "{'title':'B'}").is(200);
        HttpProbe.Answer later = calendar.create(body).is(200);
        assertThat(later.text("operation_id")).isEqualTo(first.text("operation_id"));
        assertThat(later.text("event.title")).isEqualTo("B");
        assertThat(calendar.create("{'title':'C'," + TIMES + ",'client_id':'one'}")
                        .is(409)
                        .text("code"))
                .isEqualTo("idempotency_conflict");
        assertThat(new CalendarProbe(world).create(body).is(201).text("event.event_id"))
                .as("another calendar")
                .isNotEqualTo(id);
        calendar.delete("/events/" + id).is(202);
        calendar.create(body).is(404);
        assertThat(calendar.types()).containsExactly("created", "updated", "deleted");
    }

    @Test
    void aDeletedEventIsGoneAndItsRepeatIsAnsweredByTheKeyAlone() {
        CalendarProbe calendar = new CalendarProbe(world);
        String id = calendar.single("2099-01-01T10:00:00", "2099-01-01T11:00:00");
        HttpProbe keyed = world.http().with("Idempotency-Key", "delete-" + id);
        HttpProbe.Answer deleted = keyed.delete(calendar.path("/events/" + id)).is(202);
        assertThat(deleted.text("deletion_id")).startsWith("evt_");
        assertThat(keyed.delete(calendar.path("/events/" + id)).is(202).at("")).isEqualTo(deleted.at(""));
        calendar.delete("/events/" + id).is(404);
        calendar.get("/events/" + id).is(404);
        assertThat(calendar.list("/events")).isEmpty();
        assertThat(calendar.list("/agenda?after=2099-01-01T00:00:00Z")).isEmpty();
        assertThat(calendar.get("").at("event_count")).isEqualTo(0L);
        String other = calendar.single("2099-01-01T10:00:00", "2099-01-01T11:00:00");
        assertThat(keyed.delete(calendar.path("/events/" + other)).is(409).text("code"))
                .isEqualTo("idempotency_conflict");
        for (String wrong : List.of("a b", "x".repeat(129))) {
            HttpProbe.Answer refused = world.http()
                    .with("Idempotency-Key", wrong)
                    .delete(calendar.path("/events/" + other))
                    .is(400);
            assertThat(refused.at("errors.0.path")).isEqualTo(List.of("headers", "idempotency-key"));
        }
        Map<?, ?> told = calendar.events().get(1);
        assertThat(told.get("event_id")).isEqualTo(deleted.text("deletion_id"));
        assertThat(CalendarProbe.object(told.get("calendar_event")).get("title"))
                .isEqualTo("Call");
    }

    @Test
    void whatIsNotThereIsNotFound() {
        CalendarProbe calendar = new CalendarProbe(world);
        String other = new CalendarProbe(world).single("2099-01-01T10:00:00", "2099-01-01T11:00:00");
        String own = calendar.single("2099-01-01T10:00:00", "2099-01-01T11:00:00");
        for (String id : List.of(
                "nothing",
                "3f8a2c1e-6b4d-4e9f-a7c2-5d1b8e0f9a36",
                other,
                own + "_",
                own + "_t20990101T100000",
                own + "_d20990101",
                own + "_x")) {
            calendar.get("/events/" + id).is(404);
            calendar.patch("/events/" + id, "{'title':'B'}").is(404);
            calendar.delete("/events/" + id).is(404);
            calendar.post("/events/" + id + "/respond", "{'status':'accepted'}").is(404);
        }
        calendar.get("/events/" + other + "/instances").is(404);
        calendar.get("/events/" + own + "/instances").is(400);
    }

    @Test
    void theListGoesOnByTokensInTheOrderOfChanges() {
        CalendarProbe calendar = new CalendarProbe(world);
        String first = calendar.single("2099-01-01T10:00:00", "2099-01-01T11:00:00");
        String second = calendar.single("2099-01-02T10:00:00", "2099-01-02T11:00:00");
        String third = calendar.single("2099-01-03T10:00:00", "2099-01-03T11:00:00");
        calendar.patch("/events/" + first, "{'status':'cancelled'}").is(200);
        HttpProbe.Answer page = calendar.get("/events?limit=2").is(200);
        assertThat(page.at("count")).isEqualTo(2L);
        assertThat(page.at("limit")).isEqualTo(2L);
        assertThat(page.at("events.0.event_id")).isEqualTo(first);
        assertThat(page.at("events.1.event_id")).isEqualTo(third);
        HttpProbe.Answer rest = calendar.get("/events?limit=2&page_token=" + page.text("next_page_token"))
                .is(200);
        assertThat(rest.at("events.0.event_id")).isEqualTo(second);
        assertThat(rest.at("next_page_token")).isNull();
        assertThat(calendar.get("/events?limit=500").is(200).at("limit")).isEqualTo(100L);
        calendar.get("/events?limit=0").is(400);
        calendar.get("/events?page_token=x").is(400);
    }

    @Test
    void anAnswerToAnEventOfOnesOwnIsRefused() {
        CalendarProbe calendar = new CalendarProbe(world);
        String id = calendar.create("{'title':'A'," + TIMES + ",'attendees':[{'email':'" + calendar.inbox() + "'}]}")
                .is(201)
                .text("event.event_id");
        HttpProbe.Answer refused = calendar.post("/events/" + id + "/respond", "{'status':'accepted'}")
                .is(409);
        assertThat(refused.text("code")).isEqualTo("calendar_response_invalid");
        assertThat(calendar.get("/events/" + id).at("response_status")).isNull();
        for (String wrong : List.of("{}", "{'status':'needs_action'}", "{'status':7}")) {
            assertThat(calendar.post("/events/" + id + "/respond", wrong)
                            .is(400)
                            .at("errors.0.path"))
                    .isEqualTo(List.of("status"));
        }
        assertThat(calendar.post(
                                "/events/" + id + "/respond",
                                "{'status':'accepted','comment':'" + "x".repeat(4_097) + "'}")
                        .is(400)
                        .at("errors.0.path"))
                .isEqualTo(List.of("comment"));
    }

    @Test
    void aFullCalendarTakesNoMore() {
        CalendarProbe calendar = new CalendarProbe(world);
        calendar.single("2099-01-01T10:00:00", "2099-01-01T11:00:00");
        world.database()
                .write(
                        world.organization(),
                        tx -> tx.sql(View.of(world.organization()), "update calendar c set events = 10000 where {c}")
                                .run());
        HttpProbe.Answer refused =
                calendar.create("{'title':'A'," + TIMES + "}").is(409);
        assertThat(refused.text("code")).isEqualTo("race_condition");
        assertThat(calendar.get("").at("event_count")).isEqualTo(10_000L);
        assertThat(Objects.requireNonNull(refused.at("message"))).asString().contains("10000");
    }
}
