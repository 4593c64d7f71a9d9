package dev.inboxd.calendar;

import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.http.HttpProbe;
import dev.inboxd.server.World;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Changes of single events, and what may still be changed when (calendar.md §5, §8). */
class EventUpdateHttpTest {
    @RegisterExtension
    private static final World world = World.start();

    @Test
    void onlyWhatIsSentChangesAndNullClears() {
        CalendarProbe calendar = new CalendarProbe(world);
        String id = calendar.create("{'title':'A','start':'2099-01-01T10:00:00','end':'2099-01-01T11:00:00',"
                        + "'description':'D','location':'L','metadata':{'a':1}}")
                .text("event.event_id");
        HttpProbe.Answer changed = calendar.patch("/events/" + id, "{'title':'B','status':'tentative'}")
                .is(200);
        assertThat(changed.text("event.title")).isEqualTo("B");
        assertThat(changed.text("event.status")).isEqualTo("tentative");
        assertThat(changed.text("event.description")).isEqualTo("D");
        assertThat(changed.at("event.resource_revision")).isEqualTo(1L);
        assertThat(changed.header("ETag")).isEqualTo("\"rv-1\"");
        HttpProbe.Answer cleared = calendar.patch("/events/" + id, "{'description':null,'location':'','metadata':null}")
                .is(200);
        for (String name : List.of("description", "location", "metadata")) {
            assertThat(cleared.at("event." + name)).as(name).isNull();
        }
        assertThat(calendar.get("/events/" + id).at("")).isEqualTo(cleared.at("event"));
        for (String nothing : List.of("{}", "{'send_invites':false}", "{'title':null}", "{'unknown':1}")) {
            calendar.patch("/events/" + id, nothing).is(400);
        }
        assertThat(calendar.patch("/events/" + id, "{'title':''}").is(400).at("errors.0.path"))
                .isEqualTo(List.of("title"));
        assertThat(calendar.patch("/events/" + id + "?mode=single", "{'title':'C'}")
                        .is(400)
                        .at("errors.0.path"))
                .isEqualTo(List.of("mode"));
    }

    @Test
    void everyChangeIsARevisionAnEventAndATimeAndSequenceCountsWhatIsSeen() {
        CalendarProbe calendar = new CalendarProbe(world);
        String id = calendar.single("2099-01-01T10:00:00", "2099-01-01T11:00:00");
        assertThat(calendar.patch("/events/" + id, "{'metadata':[1]}").at("event.sequence"))
                .isEqualTo(0L);
        assertThat(calendar.patch("/events/" + id, "{'title':'Call'}").at("event.sequence"))
                .as("the title that it had")
                .isEqualTo(0L);
        assertThat(calendar.patch("/events/" + id, "{'title':'Other'}").at("event.sequence"))
                .isEqualTo(1L);
        HttpProbe.Answer sent =
                calendar.patch("/events/" + id, "{'send_invites':true}").is(200);
        assertThat(sent.at("event.sequence")).isEqualTo(1L);
        assertThat(sent.at("event.resource_revision")).isEqualTo(4L);
        List<Map<?, ?>> events = calendar.events();
        assertThat(calendar.types()).containsExactly("created", "updated", "updated", "updated", "updated");
        assertThat(events.getLast().get("event_id")).isEqualTo(sent.text("operation_id"));
        assertThat(events.get(1).get("previous")).as("metadata was empty").isEqualTo(Map.of());
        assertThat(events.get(3).get("previous")).isEqualTo(Map.of("title", "Call"));
        Map<?, ?> told = CalendarProbe.object(events.get(3).get("calendar_event"));
        assertThat(told.get("title")).isEqualTo("Other");
        assertThat(told.get("resource_revision")).isEqualTo(3L);
        assertThat(told.containsKey("etag")).isFalse();
        assertThat(events.get(3).get("inbox_id")).isEqualTo(calendar.inbox());
    }

    @Test
    void startAndEndChangeTogetherAndAnAllDayChangeNeedsTheZone() {
        CalendarProbe calendar = new CalendarProbe(world);
        String id = calendar.single("2099-01-01T10:00:00", "2099-01-01T11:00:00");
        assertThat(calendar.patch("/events/" + id, "{'end':'2099-01-01T12:00:00'}")
                        .is(400)
                        .at("errors.0.path"))
                .isEqualTo(List.of("start"));
        HttpProbe.Answer allDay =
                calendar.patch("/events/" + id, "{'all_day':true}").is(400);
        assertThat(allDay.list("errors")).hasSize(3);
        HttpProbe.Answer changed = calendar.patch(
                        "/events/" + id,
                        "{'all_day':true,'start':'2099-03-01','end':'2099-03-02','timezone':'Europe/Berlin'}")
                .is(200);
        assertThat(changed.at("event.duration_mode")).isEqualTo("nominal");
        assertThat(changed.at("event.duration_value")).isEqualTo(2L);
        Map<?, ?> previous = CalendarProbe.object(calendar.events().getLast().get("previous"));
        assertThat(previous)
                .isEqualTo(new HashMap<>(Map.of(
                        "all_day",
                        false,
                        "start",
                        "2099-01-01T10:00:00",
                        "end",
                        "2099-01-01T11:00:00",
                        "timezone",
                        "UTC",
                        "duration_mode",
                        "exact")));
    }

    @Test
    void aMovedEventAsksItsAttendeesAgain() {
        CalendarProbe calendar = new CalendarProbe(world);
        String id = calendar.create("{'title':'A','start':'2099-01-01T10:00:00','end':'2099-01-01T11:00:00',"
                        + "'attendees':[{'email':'a@x.test','status':'accepted','comment':'Yes',"
                        + "'responded_at':'2026-01-01T00:00:00Z'},{'email':'b@x.test','status':'declined'}]}")
                .text("event.event_id");
        HttpProbe.Answer renamed =
                calendar.patch("/events/" + id, "{'title':'B'}").is(200);
        assertThat(renamed.at("event.attendees.0.comment")).isEqualTo("Yes");
        HttpProbe.Answer replaced = calendar.patch(
                        "/events/" + id, "{'attendees':[{'email':'c@x.test'},{'email':'a@x.test','name':'A'}]}")
                .is(200);
        assertThat(replaced.at("event.attendees.0.status")).isEqualTo("needs_action");
        assertThat(replaced.at("event.attendees.1.status")).isEqualTo("accepted");
        assertThat(replaced.at("event.attendees.1.responded_at")).isEqualTo("2026-01-01T00:00:00.000Z");
        HttpProbe.Answer moved = calendar.patch(
                        "/events/" + id,
                        "{'start':'2099-01-01T12:00:00','end':'2099-01-01T13:00:00','attendees':["
                                + "{'email':'a@x.test'},{'email':'c@x.test','status':'tentative'}]}")
                .is(200);
        assertThat(moved.at("event.attendees.0.status")).isEqualTo("needs_action");
        assertThat(moved.at("event.attendees.0.comment")).isNull();
        assertThat(moved.at("event.attendees.1.status")).isEqualTo("tentative");
        assertThat(calendar.patch("/events/" + id, "{'attendees':[]}").at("event.attendee_count"))
                .isEqualTo(0L);
    }

    @Test
    void whatRunsKeepsItsStartAndWhatIsOverItsTimes() {
        CalendarProbe calendar = new CalendarProbe(world);
        String start = calendar.soon(60);
        String id = calendar.single(start, calendar.soon(660));
        world.advance(Duration.ofMinutes(2));
        String path = "/events/" + id;
        started(calendar.patch(path, "{'start':'" + calendar.soon(60) + "','end':'" + calendar.soon(660) + "'}"));
        started(calendar.patch(path, "{'recurrence':{'rule':'FREQ=DAILY'}}"));
        started(calendar.patch(path, "{'timezone':'Europe/Berlin'}"));
        calendar.patch(path, "{'start':'" + start + "','end':'" + calendar.soon(900) + "'}")
                .is(200);
        calendar.patch(path, "{'status':'tentative','title':'B'}").is(200);
        world.advance(Duration.ofSeconds(1_000));
        started(calendar.patch(path, "{'status':'cancelled'}"));
        started(calendar.patch(path, "{'start':'" + start + "','end':'" + calendar.soon(900) + "'}"));
        started(calendar.patch(path, "{'duration_mode':'nominal'}"));
        calendar.patch(
                        path,
                        "{'title':'C','description':'D','location':'L','metadata':1,"
                                + "'attendees':[{'email':'a@x.test'}]}")
                .is(200);
        calendar.delete(path).is(202);
    }

    private static void started(HttpProbe.Answer answer) {
        assertThat(answer.is(409).text("code")).isEqualTo("event_already_started");
    }

    @Test
    void aCancelledEventStaysReadableAndLeavesTheAgenda() {
        CalendarProbe calendar = new CalendarProbe(world);
        String id = calendar.single("2099-01-01T10:00:00", "2099-01-01T11:00:00");
        assertThat(calendar.list("/agenda?after=2099-01-01T00:00:00Z")).hasSize(1);
        calendar.patch("/events/" + id, "{'status':'cancelled'}").is(200);
        assertThat(calendar.list("/agenda?after=2099-01-01T00:00:00Z")).isEmpty();
        assertThat(calendar.list("/events", "status")).containsExactly("cancelled");
        assertThat(calendar.get("/events/" + id).is(200).text("status")).isEqualTo("cancelled");
    }

    @Test
    void aStaleTagChangesNothingAndSaysTheRevision() {
        CalendarProbe calendar = new CalendarProbe(world);
        String id = calendar.single("2099-01-01T10:00:00", "2099-01-01T11:00:00");
        calendar.patch("/events/" + id, "{'title':'B'}", "\"rv-0\"").is(200);
        HttpProbe.Answer stale =
                calendar.patch("/events/" + id, "{'title':'C'}", "\"rv-0\"").is(412);
        assertThat(stale.at("current_revision")).isEqualTo(1L);
        assertThat(stale.text("name")).isEqualTo("PreconditionFailedError");
        assertThat(stale.text("fix")).isEqualTo("Read the event again and retry with its new etag.");
        world.http()
                .with("If-Match", "\"rv-0\"")
                .delete(calendar.path("/events/" + id))
                .is(412);
        assertThat(calendar.get("/events/" + id).text("title")).isEqualTo("B");
        assertThat(calendar.types()).containsExactly("created", "updated");
        assertThat(calendar.patch("/events/" + id, "{'title':7}", "\"rv-0\"")
                        .is(400)
                        .at("errors.0.path"))
                .as("the body comes before the tag")
                .isEqualTo(List.of("title"));
    }
}
