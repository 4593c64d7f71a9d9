package dev.inboxd.calendar.event;

import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.http.HttpProbe;
import dev.inboxd.calendar.CalendarProbe;
import dev.inboxd.server.World;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The calendar itself: its settings, tags and switch (calendar.md §2, §3, §6). */
class CalendarHttpTest {
    @RegisterExtension
    private static final World world = World.start();

    @Test
    void everyInboxHasACalendarInUtcAsOldAsItself() {
        CalendarProbe calendar = new CalendarProbe(world);
        HttpProbe.Answer found = calendar.get("?consistency=primary").is(200);
        String made = world.http().get("/v0/inboxes/" + calendar.inbox()).text("created_at");
        assertThat(found.at(""))
                .isEqualTo(Map.of(
                        "inbox_id",
                        calendar.inbox(),
                        "timezone",
                        "UTC",
                        "event_count",
                        0L,
                        "created_at",
                        made,
                        "updated_at",
                        made,
                        "etag",
                        "\"rv-0\""));
        assertThat(found.header("ETag")).isEqualTo("\"rv-0\"");
        calendar.get("?consistency=strict").is(400);
    }

    @Test
    void aNewZoneIsARevisionAlsoWhenItIsTheOldOne() {
        CalendarProbe calendar = new CalendarProbe(world);
        assertThat(calendar.patch("", "{'timezone':'US/Pacific'}").is(200).text("timezone"))
                .isEqualTo("US/Pacific");
        HttpProbe.Answer again =
                calendar.patch("", "{'timezone':'US/Pacific'}", "\"rv-1\"").is(200);
        assertThat(again.text("etag")).isEqualTo("\"rv-2\"");
        assertThat(again.text("updated_at")).isGreaterThan(again.text("created_at"));
        assertThat(calendar.create("{'title':'A','start':'2099-01-01T10:00:00','end':'2099-01-01T11:00:00'}")
                        .text("event.timezone"))
                .isEqualTo("US/Pacific");
        assertThat(calendar.get("").text("etag")).as("events are not settings").isEqualTo("\"rv-2\"");
        assertThat(calendar.get("").at("event_count")).isEqualTo(1L);
    }

    @Test
    void aZoneIsOneOfTheDatabaseAndNoOffset() {
        CalendarProbe calendar = new CalendarProbe(world);
        for (String wrong : List.of("{}", "{'timezone':'+02:00'}", "{'timezone':'Mars/Base'}", "{'timezone':7}")) {
            HttpProbe.Answer refused = calendar.patch("", wrong).is(400);
            assertThat(refused.at("errors.0.path.0")).isEqualTo("timezone");
        }
        calendar.patch("", "{'timezone':'UTC','more':'" + "x".repeat(8_192) + "'}")
                .is(413);
    }

    @Test
    void ifMatchTakesAnyWeakStrongAndSeveralTags() {
        CalendarProbe calendar = new CalendarProbe(world);
        String body = "{'timezone':'UTC'}";
        calendar.patch("", body, "*").is(200);
        calendar.patch("", body, "W/\"rv-1\"").is(200);
        calendar.patch("", body, "\"x\", W/\"y\" ,\"rv-2\"").is(200);
        HttpProbe.Answer stale = calendar.patch("", body, "\"rv-1\"").is(412);
        assertThat(stale.text("code")).isEqualTo("precondition_failed");
        assertThat(stale.at("current_revision")).isEqualTo(3L);
        for (String wrong : List.of("rv-3", "\"rv-3", "\"a\" \"b\"", "*, \"rv-3\"", ",", "\"a b\"")) {
            HttpProbe.Answer refused = calendar.patch("", body, wrong).is(400);
            assertThat(refused.at("errors.0.path")).as(wrong).isEqualTo(List.of("headers", "if-match"));
        }
    }

    @Test
    void whereTheOperatorAsksForItAChangeNamesItsState() {
        try (World strict = world.beside(Map.of("INBOXD_CALENDAR_REQUIRE_IF_MATCH", "on"))) {
            CalendarProbe calendar = new CalendarProbe(strict);
            HttpProbe.Answer refused = calendar.patch("", "{'timezone':'Mars'}").is(428);
            assertThat(refused.text("code")).isEqualTo("precondition_required");
            String id = calendar.single("2099-01-01T10:00:00", "2099-01-01T11:00:00");
            calendar.patch("/events/" + id, "{'title':'B'}").is(428);
            calendar.delete("/events/" + id).is(428);
            calendar.post("/events/" + id + "/respond", "{}").is(428);
            calendar.patch("", "{'timezone':'UTC'}", "*").is(200);
        }
    }

    @Test
    void calendarsThatAreOffAreClosedAndKeepWhatTheyHold() {
        CalendarProbe calendar = new CalendarProbe(world);
        String id = calendar.single("2099-01-01T10:00:00", "2099-01-01T11:00:00");
        try (World off = world.beside(Map.of("INBOXD_CALENDARS", "off"))) {
            for (String path : List.of("", "/events", "/agenda", "/events/" + id, "/events/" + id + "/instances")) {
                HttpProbe.Answer refused = off.http().get(calendar.path(path)).is(403);
                assertThat(refused.text("code")).isEqualTo("forbidden");
                assertThat(refused.text("message")).isEqualTo("Calendar access is not enabled for this organization");
            }
            off.http().post(calendar.path("/events"), "{").is(403);
            off.http().patch(calendar.path("/events/" + id), "{}").is(403);
            off.http().delete(calendar.path("/events/" + id)).is(403);
            off.http().post(calendar.path("/events/" + id + "/respond"), "{}").is(403);
        }
        calendar.get("/events/" + id).is(200);
    }
}
