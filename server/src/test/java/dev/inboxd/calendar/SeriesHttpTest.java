package dev.inboxd.calendar;

import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.http.HttpProbe;
import dev.inboxd.server.World;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Series and their dates: made, edited, taken out, moved (calendar.md §1, §4 to §6). */
class SeriesHttpTest {
    /** A Wednesday. */
    private static final String FIRST = "2099-10-07T09:00:00";

    private static final String WINDOW = "after=2099-10-01T00:00:00Z&before=2099-11-15T00:00:00Z";

    @RegisterExtension
    private static final World world = World.start();

    private static List<?> starts(CalendarProbe calendar, String series) {
        return calendar.list("/events/" + series + "/instances?" + WINDOW, "start");
    }

    @Test
    void aSeriesShowsItsRuleAndADateItsPlace() {
        CalendarProbe calendar = new CalendarProbe(world);
        HttpProbe.Answer made = calendar.create("{'title':'Standup','start':'" + FIRST + "',"
                        + "'end':'2099-10-07T09:30:00','timezone':'America/New_York',"
                        + "'recurrence':{'rule':'RRULE:FREQ=WEEKLY;COUNT=4',"
                        + "'exdates':['2099-10-14T09:00:00'],'rdates':['2099-10-08T09:00:00',"
                        + "{'start':'2099-10-09T09:00:00','duration':'PT2H'}]}}")
                .is(201);
        String id = made.text("event.event_id");
        assertThat(made.at("event.kind")).isEqualTo("series");
        assertThat(made.at("event.duration_mode")).isEqualTo("nominal");
        assertThat(made.at("event.recurrence.rule")).isEqualTo("FREQ=WEEKLY;COUNT=4");
        assertThat(made.at("event.recurrence.rdates.1"))
                .isEqualTo(Map.of("start", "2099-10-09T09:00:00", "duration", "PT2H"));
        assertThat(starts(calendar, id))
                .isEqualTo(List.of(
                        FIRST,
                        "2099-10-08T09:00:00",
                        "2099-10-09T09:00:00",
                        "2099-10-21T09:00:00",
                        "2099-10-28T09:00:00"));
        HttpProbe.Answer date =
                calendar.get("/events/" + id + "_t20991009T090000").is(200);
        Map<String, Object> expected = new HashMap<>();
        expected.put("event_id", id + "_t20991009T090000");
        expected.put("kind", "instance");
        expected.put("series_id", id);
        expected.put("original_start", "2099-10-09T09:00:00");
        expected.put("original_start_at", "2099-10-09T13:00:00.000Z");
        expected.put("is_exception", false);
        expected.put("title", "Standup");
        expected.put("status", "confirmed");
        expected.put("all_day", false);
        expected.put("start", "2099-10-09T09:00:00");
        expected.put("end", "2099-10-09T11:00:00");
        expected.put("timezone", "America/New_York");
        expected.put("duration_mode", "nominal");
        expected.put("duration_value", 7_200_000L);
        expected.put("start_at", "2099-10-09T13:00:00.000Z");
        expected.put("end_at", "2099-10-09T15:00:00.000Z");
        expected.put("attendee_count", 0L);
        List<String> ofTheSeries = List.of(
                "uid",
                "sequence",
                "source",
                "organizer_email",
                "created_at",
                "updated_at",
                "organization_id",
                "pod_id");
        ofTheSeries.forEach(same -> expected.put(same, made.at("event." + same)));
        expected.put("etag", "\"occ-0-0\"");
        assertThat(date.at("")).isEqualTo(expected);
        expected.remove("etag");
        assertThat(calendar.list("/events/" + id + "/instances?" + WINDOW).get(2))
                .isEqualTo(expected);
        calendar.get("/events/" + id + "_t20991010T090000").is(404);
        calendar.get("/events/" + id + "_d20991009").is(404);
    }

    @Test
    void whatARuleMustBeIsSaidInItsOrder() {
        CalendarProbe calendar = new CalendarProbe(world);
        Map<String, String> codes = new HashMap<>();
        codes.put("'rule':'FREQ=OFTEN'", "400 validation_error rule");
        codes.put("'rule':'FREQ=DAILY;COUNT=2;UNTIL=20991101T000000Z'", "400 validation_error rule");
        codes.put("'rule':'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30'", "409 materialization_failed");
        codes.put("'rule':'FREQ=WEEKLY;BYDAY=MO'", "400 validation_error rule");
        codes.put("'rule':'FREQ=HOURLY'", "409 recurrence_density_limit");
        codes.put("'rule':'FREQ=DAILY','exdates':['2099-10-08']", "400 validation_error exdates");
        codes.put("'rule':'FREQ=DAILY','exdates':['soon']", "400 validation_error exdates");
        codes.put("'rule':'FREQ=DAILY','rdates':[{'start':'2099-10-08T09:00:00'}]", "400 validation_error rdates");
        codes.put(
                "'rule':'FREQ=DAILY','rdates':[{'start':'2099-10-08T09:00:00','end':'2099-10-08T10:00:00',"
                        + "'duration':'PT1H'}]",
                "400 validation_error rdates");
        codes.put(
                "'rule':'FREQ=DAILY','rdates':[{'start':'2099-10-08T09:00:00','duration':'P32D'}]",
                "400 validation_error rdates");
        codes.forEach((recurrence, code) -> {
            HttpProbe.Answer refused = calendar.create("{'title':'A','start':'" + FIRST
                    + "','end':'2099-10-07T09:30:00','recurrence':{" + recurrence + "}}");
            String[] words = code.split(" ", -1);
            assertThat(refused.is(Integer.parseInt(words[0])).text("code"))
                    .as(recurrence)
                    .isEqualTo(words[1]);
            if (words.length > 2) {
                assertThat(refused.at("errors.0.path.0")).isEqualTo("recurrence");
                assertThat(refused.at("errors.0.path.1")).as(recurrence).isEqualTo(words[2]);
            }
        });
        calendar.create("{'title':'A','start':'" + FIRST
                        + "','end':'2099-11-07T09:00:01','recurrence':{'rule':'FREQ=YEARLY'}}")
                .is(400);
        calendar.create("{'title':'A','all_day':true,'start':'2099-10-07','end':'2099-10-07','recurrence':"
                        + "{'rule':'FREQ=DAILY;BYHOUR=3'}}")
                .is(400);
    }

    @Test
    void anEditOfADateIsItsOwnAndChangesEveryTagOfTheSeriesDates() {
        CalendarProbe calendar = new CalendarProbe(world);
        String id = calendar.series(FIRST, "FREQ=WEEKLY");
        String date = id + "_t20991014T090000";
        String other = id + "_t20991021T090000";
        HttpProbe.Answer edited = calendar.patch("/events/" + date, "{'title':'Longer','end':'2099-10-14T11:00:00'}")
                .is(200);
        assertThat(edited.at("event.is_exception")).isEqualTo(true);
        assertThat(edited.at("event.start")).isEqualTo("2099-10-14T09:00:00");
        assertThat(edited.at("event.end")).isEqualTo("2099-10-14T11:00:00");
        assertThat(edited.text("event.etag")).isEqualTo("\"occ-0-1\"");
        assertThat(calendar.get("/events/" + date).at("")).isEqualTo(edited.at("event"));
        assertThat(calendar.get("/events/" + other).text("etag")).isEqualTo("\"occ-0-1\"");
        assertThat(calendar.get("/events/" + other).text("title")).isEqualTo("Standup");
        HttpProbe.Answer stale = calendar.patch("/events/" + other, "{'title':'X'}", "\"occ-0-0\"")
                .is(412);
        assertThat(stale.at("current_revision")).isEqualTo(0L);
        calendar.patch("/events/" + date, "{'start':'2099-10-15T08:00:00','end':'2099-10-15T08:30:00'}", "\"occ-0-1\"")
                .is(200);
        assertThat(starts(calendar, id).subList(0, 3))
                .isEqualTo(List.of(FIRST, "2099-10-15T08:00:00", "2099-10-21T09:00:00"));
        HttpProbe.Answer moved = calendar.get("/events/" + date).is(200);
        assertThat(moved.at("original_start")).isEqualTo("2099-10-14T09:00:00");
        assertThat(moved.at("title")).isEqualTo("Longer");
        assertThat(calendar.list("/events", "event_id")).containsExactly(date, id);
        calendar.patch("/events/" + id, "{'description':'All'}").is(200);
        assertThat(calendar.get("/events/" + date).text("etag")).isEqualTo("\"occ-1-2\"");
        assertThat(calendar.get("/events/" + date).text("description")).isEqualTo("All");
        calendar.patch("/events/" + date, "{'description':null}").is(200);
        assertThat(calendar.get("/events/" + date).at("description")).isNull();
        assertThat(calendar.types()).containsExactly("created", "created", "updated", "updated", "updated");
    }

    @Test
    void aDateHasNoScheduleOfItsOwnAndAlwaysBothOfStartAndEnd() {
        CalendarProbe calendar = new CalendarProbe(world);
        String date = calendar.series(FIRST, "FREQ=WEEKLY") + "_t20991014T090000";
        Map<String, String> wrong = Map.of(
                "{'timezone':'UTC'}", "timezone",
                "{'all_day':true}", "all_day",
                "{'recurrence':null}", "recurrence",
                "{'start':'2099-10-14T10:00:00'}", "end",
                "{'end':'2099-10-14T08:00:00'}", "end",
                "{'end':'2099-10-14'}", "end",
                "{'end':'2099-11-14T09:00:01'}", "end");
        wrong.forEach((body, path) -> assertThat(
                        calendar.patch("/events/" + date, body).is(400).at("errors.0.path"))
                .as(body)
                .isEqualTo(List.of(path)));
        assertThat(calendar.patch(
                                "/events/" + date + "?mode=future",
                                "{'start':'2099-10-14T10:00:00','end':'2099-10-14T11:00:00'}")
                        .is(409)
                        .text("code"))
                .isEqualTo("future_edit_start_move_not_supported");
        calendar.patch("/events/" + date + "?mode=all", "{'title':'X'}").is(400);
    }

    @Test
    @Tag("long")
    void anEditOfThoseThatFollowHoldsUntilTheNextAndADatesOwnWins() {
        CalendarProbe calendar = new CalendarProbe(world);
        String id = calendar.series(FIRST, "FREQ=WEEKLY;COUNT=5");
        calendar.patch("/events/" + id + "_t20991028T090000", "{'title':'Alone'}")
                .is(200);
        HttpProbe.Answer future = calendar.patch(
                        "/events/" + id + "_t20991014T090000?mode=future",
                        "{'title':'Second','location':'Hall','end':'2099-10-14T10:00:00'}")
                .is(200);
        assertThat(future.at("event.title")).isEqualTo("Second");
        assertThat(future.at("event.is_exception")).isEqualTo(true);
        calendar.patch("/events/" + id + "_t20991104T090000?mode=future", "{'title':'Fifth'}")
                .is(200);
        List<Map<?, ?>> dates = calendar.list("/events/" + id + "/instances?" + WINDOW);
        assertThat(dates.stream().map(each -> each.get("title")).toList())
                .isEqualTo(List.of("Standup", "Second", "Second", "Alone", "Fifth"));
        assertThat(dates.stream().map(each -> each.get("is_exception")).toList())
                .isEqualTo(List.of(false, true, true, true, true));
        assertThat(dates.stream()
                        .map(each -> String.valueOf(each.get("location")))
                        .toList())
                .isEqualTo(List.of("null", "Hall", "Hall", "Hall", "Hall"));
        assertThat(dates.stream().map(each -> each.get("duration_value")).toList())
                .isEqualTo(List.of(1_800_000L, 3_600_000L, 3_600_000L, 3_600_000L, 3_600_000L));
        assertThat(calendar.list("/events", "event_id"))
                .as("only what was edited alone has a row")
                .containsExactly(id + "_t20991028T090000", id);
        HttpProbe.Answer again = calendar.patch(
                        "/events/" + id + "_t20991028T090000?mode=future", "{'title':'From here'}")
                .is(200);
        assertThat(again.at("event.title"))
                .as("its own title would hide the change")
                .isEqualTo("From here");
        assertThat(calendar.patch("/events/" + id, "{'recurrence':null}")
                        .is(409)
                        .text("code"))
                .isEqualTo("event_in_progress");
    }

    @Test
    void aCancelledDateReadsAsTakenOutAndNothingMoreIsDoneToIt() {
        CalendarProbe calendar = new CalendarProbe(world);
        String id = calendar.series(FIRST, "FREQ=WEEKLY;COUNT=4");
        String date = id + "_t20991014T090000";
        HttpProbe.Answer gone = calendar.delete("/events/" + date).is(202);
        assertThat(gone.at("event.status")).isEqualTo("cancelled");
        assertThat(gone.header("ETag")).isEqualTo(gone.text("event.etag")).isEqualTo("\"occ-1-0\"");
        assertThat(calendar.get("/events/" + date).is(200).text("status")).isEqualTo("cancelled");
        assertThat(calendar.get("/events/" + id).at("recurrence.exdates")).isEqualTo(List.of("2099-10-14T09:00:00"));
        assertThat(starts(calendar, id)).isEqualTo(List.of(FIRST, "2099-10-21T09:00:00", "2099-10-28T09:00:00"));
        HttpProbe.Answer again = calendar.delete("/events/" + date).is(202);
        assertThat(again.at("")).isEqualTo(gone.at(""));
        assertThat(calendar.patch("/events/" + date, "{'title':'X'}").is(410).text("code"))
                .isEqualTo("event_expired");
        List<Map<?, ?>> events = calendar.events();
        assertThat(calendar.types()).containsExactly("created", "updated");
        Map<?, ?> told = CalendarProbe.object(events.getLast().get("calendar_event"));
        assertThat(told.get("event_id")).isEqualTo(date);
        assertThat(told.get("status")).isEqualTo("cancelled");
        assertThat(events.getLast().containsKey("previous")).isFalse();
        assertThat(events.getLast().get("event_id")).isEqualTo(gone.text("operation_id"));
    }

    @Test
    void aDateCancelledByAChangeStaysInTheListAndLeavesTheInstances() {
        CalendarProbe calendar = new CalendarProbe(world);
        String id = calendar.series(FIRST, "FREQ=WEEKLY;COUNT=2");
        String date = id + "_t20991014T090000";
        calendar.patch("/events/" + date, "{'status':'cancelled'}").is(200);
        assertThat(starts(calendar, id)).isEqualTo(List.of(FIRST));
        assertThat(calendar.list("/events", "status")).containsExactly("cancelled", "confirmed");
        assertThat(calendar.types()).containsExactly("created", "updated");
        assertThat(calendar.delete("/events/" + date).is(202).at("event.status"))
                .isEqualTo("cancelled");
        calendar.patch("/events/" + date, "{'status':'confirmed'}").is(200);
        assertThat(starts(calendar, id)).hasSize(2);
    }

    @Test
    void aSeriesEndsBeforeADateAndWholeWithItsFirst() {
        CalendarProbe calendar = new CalendarProbe(world);
        String id = calendar.series(FIRST, "FREQ=WEEKLY");
        HttpProbe.Answer cut = calendar.delete("/events/" + id + "_t20991021T090000?mode=future")
                .is(202);
        assertThat(cut.at("event.status")).isEqualTo("cancelled");
        assertThat(calendar.get("/events/" + id).at("recurrence.truncate_before"))
                .isEqualTo("2099-10-21T09:00:00");
        assertThat(starts(calendar, id)).isEqualTo(List.of(FIRST, "2099-10-14T09:00:00"));
        assertThat(calendar.get("/events/" + id + "_t21991002T090000").is(200).text("status"))
                .isEqualTo("cancelled");
        assertThat(calendar.delete("/events/" + id + "_t20991007T090000?mode=future")
                        .is(202)
                        .text("deletion_id"))
                .startsWith("evt_");
        calendar.get("/events/" + id).is(404);
        assertThat(calendar.types()).containsExactly("created", "updated", "deleted");
    }

    @Test
    void aMoveTakesWhatIsOutAlongAndDropsEditsOfSlotsThatVanish() {
        CalendarProbe calendar = new CalendarProbe(world);
        String id = calendar.series(FIRST, "FREQ=WEEKLY;COUNT=5");
        calendar.delete("/events/" + id + "_t20991014T090000").is(202);
        calendar.patch("/events/" + id + "_t20991021T090000", "{'title':'Edited'}")
                .is(200);
        HttpProbe.Answer moved = calendar.patch(
                        "/events/" + id, "{'start':'2099-10-07T10:00:00','end':'2099-10-07T10:30:00'}")
                .is(200);
        assertThat(moved.at("event.recurrence.exdates")).isEqualTo(List.of("2099-10-14T10:00:00"));
        assertThat(starts(calendar, id))
                .isEqualTo(List.of(
                        "2099-10-07T10:00:00", "2099-10-21T10:00:00", "2099-10-28T10:00:00", "2099-11-04T10:00:00"));
        assertThat(calendar.list("/events", "event_id")).containsExactly(id);
        calendar.get("/events/" + id + "_t20991021T090000").is(404);
        assertThat(calendar.get("/events/" + id + "_t20991014T100000").is(200).text("status"))
                .isEqualTo("cancelled");
        HttpProbe.Answer single =
                calendar.patch("/events/" + id, "{'recurrence':null}").is(200);
        assertThat(single.at("event.kind")).isEqualTo("single");
        Map<?, ?> previous = CalendarProbe.object(calendar.events().getLast().get("previous"));
        assertThat(previous.keySet()).isEqualTo(Set.of("recurrence"));
        calendar.patch("/events/" + id, "{'recurrence':{'rule':'FREQ=DAILY;COUNT=2'}}")
                .is(200);
        assertThat(starts(calendar, id)).hasSize(2);
    }

    @Test
    void theClocksChangeMovesNoDateOnTheWall() {
        CalendarProbe calendar = new CalendarProbe(world);
        String id = calendar.create("{'title':'Night','start':'2026-03-22T02:30:00','end':'2026-03-22T03:30:00',"
                        + "'timezone':'Europe/Berlin','recurrence':{'rule':'FREQ=WEEKLY;COUNT=3'}}")
                .is(201)
                .text("event.event_id");
        List<Map<?, ?>> dates =
                calendar.list("/events/" + id + "/instances?after=2026-03-01T00:00:00Z&before=2026-05-01T00:00:00Z");
        assertThat(dates.stream().map(each -> each.get("start")).toList())
                .isEqualTo(List.of("2026-03-22T02:30:00", "2026-03-29T03:30:00", "2026-04-05T02:30:00"));
        assertThat(dates.get(1).get("original_start")).isEqualTo("2026-03-29T02:30:00");
        assertThat(dates.get(1).get("event_id")).isEqualTo(id + "_t20260329T023000");
        assertThat(dates.stream().map(each -> each.get("start_at")).toList())
                .isEqualTo(List.of("2026-03-22T01:30:00.000Z", "2026-03-29T01:30:00.000Z", "2026-04-05T00:30:00.000Z"));
    }
}
