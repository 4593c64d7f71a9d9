package dev.inboxd.calendar.feed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.inboxd.base.database.View;
import dev.inboxd.calendar.CalendarProbe;
import dev.inboxd.calendar.FeedProbe;
import dev.inboxd.server.World;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.LocalDateTime;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.slf4j.LoggerFactory;

/** What is in a feed, and what is not (calendar.md §10). */
class FeedComponentsHttpTest {
    @RegisterExtension
    private static final World world = World.start();

    private static String slot(LocalDateTime at) {
        return CalendarProbe.slot(CalendarProbe.wall(at));
    }

    private static String stamp(LocalDateTime at) {
        return slot(at).substring(1);
    }

    @Test
    void aSeriesHasItsRuleItsEditedDatesAndNoneThatAreCancelled() {
        CalendarProbe calendar = new CalendarProbe(world);
        LocalDateTime first = LocalDateTime.parse(calendar.soon(86_400));
        String id = calendar.series(CalendarProbe.wall(first), "FREQ=DAILY;COUNT=9");
        calendar.patch("/events/" + id + "_" + slot(first.plusDays(1)), "{'title':'Other'}")
                .is(200);
        calendar.patch("/events/" + id + "_" + slot(first.plusDays(2)), "{'status':'cancelled'}")
                .is(200);
        calendar.delete("/events/" + id + "_" + slot(first.plusDays(3))).is(202);
        String moved = CalendarProbe.wall(first.plusDays(4).plusHours(2));
        String end = CalendarProbe.wall(first.plusDays(4).plusHours(3));
        calendar.patch(
                        "/events/" + id + "_" + slot(first.plusDays(4)),
                        "{'start':'" + moved + "','end':'" + end + "','status':'tentative'}")
                .is(200);
        List<List<String>> events = new FeedProbe(world, calendar).events();
        assertThat(events).hasSize(3);
        assertThat(events.getFirst())
                .contains(
                        "UID:" + id + "@mail.localhost",
                        "DTSTART:" + stamp(first) + "Z",
                        "RRULE:FREQ=DAILY;COUNT=9",
                        "EXDATE:" + stamp(first.plusDays(2)) + "Z",
                        "EXDATE:" + stamp(first.plusDays(3)) + "Z",
                        "SUMMARY:Standup",
                        "STATUS:CONFIRMED",
                        "ORGANIZER:mailto:" + calendar.inbox());
        assertThat(events.get(1))
                .contains(
                        "UID:" + id + "@mail.localhost",
                        "RECURRENCE-ID:" + stamp(first.plusDays(1)) + "Z",
                        "DTSTART:" + stamp(first.plusDays(1)) + "Z",
                        "SUMMARY:Other");
        assertThat(events.get(2))
                .contains(
                        "RECURRENCE-ID:" + stamp(first.plusDays(4)) + "Z",
                        "DTSTART:" + stamp(first.plusDays(4).plusHours(2)) + "Z",
                        "DTEND:" + stamp(first.plusDays(4).plusHours(3)) + "Z",
                        "STATUS:TENTATIVE");
    }

    @Test
    void whatTellsOfManyDatesOrOfAnotherTimeIsAnEventOfItsOwn() {
        CalendarProbe calendar = new CalendarProbe(world);
        LocalDateTime first = LocalDateTime.parse(calendar.soon(60));
        String id = calendar.series(CalendarProbe.wall(first), "FREQ=DAILY;COUNT=9");
        world.advance(Duration.ofHours(60));
        String later = CalendarProbe.wall(first.plusHours(1));
        calendar.patch(
                        "/events/" + id,
                        "{'title':'Later','start':'" + later + "','end':'" + CalendarProbe.wall(first.plusHours(2))
                                + "'}")
                .is(200);
        LocalDateTime cut = first.plusDays(6).plusHours(1);
        calendar.patch("/events/" + id + "_" + slot(cut) + "?mode=future", "{'title':'Last'}")
                .is(200);
        calendar.patch("/events/" + id + "_" + slot(cut.plusDays(1)), "{'location':'Here'}")
                .is(200);
        List<List<String>> events = new FeedProbe(world, calendar).events();
        assertThat(events).hasSize(4);
        assertThat(events.getFirst())
                .as("what it was")
                .contains("SUMMARY:Standup", "DTSTART:" + stamp(first) + "Z")
                .anyMatch(line -> line.startsWith("UID:" + id + "@mail.localhost/until-"))
                .anyMatch(line -> line.startsWith("RRULE:FREQ=DAILY;UNTIL="));
        assertThat(events.get(1))
                .as("what it is")
                .contains(
                        "UID:" + id + "@mail.localhost",
                        "SUMMARY:Later",
                        "DTSTART:" + stamp(first.plusDays(3).plusHours(1)) + "Z",
                        "RRULE:FREQ=DAILY;UNTIL=" + stamp(cut.minusSeconds(1)) + "Z");
        assertThat(events.get(2))
                .as("what it will be")
                .contains(
                        "UID:" + id + "@mail.localhost/from-" + slot(cut),
                        "SUMMARY:Last",
                        "DTSTART:" + stamp(cut) + "Z",
                        "RRULE:FREQ=DAILY;UNTIL=" + stamp(first.plusDays(8).plusHours(1)) + "Z");
        assertThat(events.get(3))
                .contains(
                        "UID:" + id + "@mail.localhost/from-" + slot(cut),
                        "RECURRENCE-ID:" + stamp(cut.plusDays(1)) + "Z",
                        "SUMMARY:Last",
                        "LOCATION:Here");
    }

    @Test
    void aYearBackAndTwoAheadAreInItAndNothingThatIsCancelled() {
        CalendarProbe calendar = new CalendarProbe(world);
        LocalDateTime now = LocalDateTime.parse(calendar.soon(0));
        for (int days : List.of(-420, -360, 0, 729, 800)) {
            calendar.create("{'title':'D" + days + "','all_day':true,'start':'"
                            + now.plusDays(days).toLocalDate() + "','end':'"
                            + now.plusDays(days + 1).toLocalDate() + "'}")
                    .is(201);
        }
        calendar.create("{'title':'Gone','status':'cancelled','start':'" + calendar.soon(60) + "','end':'"
                        + calendar.soon(90) + "'}")
                .is(201);
        String over = CalendarProbe.wall(now.minusYears(5));
        calendar.series(over, "FREQ=WEEKLY;COUNT=20");
        calendar.create("{'title':'Still','timezone':'Europe/Berlin','start':'" + over + "','end':'"
                        + CalendarProbe.wall(now.minusYears(5).plusHours(1))
                        + "','recurrence':{'rule':'FREQ=WEEKLY'}}")
                .is(201);
        FeedProbe feed = new FeedProbe(world, calendar);
        assertThat(feed.values("SUMMARY")).containsExactly("D-360", "D0", "D729", "Still");
        assertThat(feed.read().text())
                .contains(
                        "DTSTART;TZID=Europe/Berlin:" + stamp(now.minusYears(5)),
                        "BEGIN:VTIMEZONE\r\nTZID:Europe/Berlin\r\n");
        assertThat(feed.values("DTEND"))
                .contains(stamp(now.plusDays(2)).substring(0, 8)); // the day behind the last one
    }

    @Test
    void furtherDatesHaveTheirOwnLength() {
        CalendarProbe calendar = new CalendarProbe(world);
        calendar.create("{'title':'A','start':'2027-01-04T10:00:00','end':'2027-01-04T11:00:00','recurrence':{"
                        + "'rule':'FREQ=WEEKLY;COUNT=3','exdates':['2027-01-11T10:00:00'],"
                        + "'rdates':['2027-01-05T10:00:00',"
                        + "{'start':'2027-01-06T10:00:00','duration':'PT3H'}]}}")
                .is(201);
        List<List<String>> events = new FeedProbe(world, calendar).events();
        assertThat(events).hasSize(2);
        assertThat(events.getFirst())
                .contains("EXDATE:20270111T100000Z", "RDATE:20270105T100000Z", "RDATE:20270106T100000Z");
        assertThat(events.getLast())
                .contains("RECURRENCE-ID:20270106T100000Z", "DTSTART:20270106T100000Z", "DTEND:20270106T130000Z");
    }

    @Test
    @Tag("long")
    void noTextBecomesALineAndWhatIsNotForReadersIsNotThere() {
        CalendarProbe calendar = new CalendarProbe(world);
        String id = calendar.create("{'title':'A\\r\\nATTENDEE:mailto:x@evil.test',"
                        + "'location':'B\\u2028URL:https://evil.test',"
                        + "'description':'C\\nEND:VEVENT\\nEND:VCALENDAR " + "long ".repeat(2_000)
                        + "','metadata':{'ticket':'4711'},'start':'" + calendar.soon(60) + "','end':'"
                        + calendar.soon(120) + "','attendees':[{'email':'bo@x.test','name':'Bo','status':'declined',"
                        + "'comment':'No time'}]}")
                .is(201)
                .text("event.event_id");
        FeedProbe feed = new FeedProbe(world, calendar);
        String text = feed.read().text();
        assertThat(feed.events()).hasSize(1);
        List<String> event = feed.events().getFirst();
        assertThat(event.stream().map(line -> line.split("[:;]", 2)[0]))
                .containsExactly(
                        "UID",
                        "SEQUENCE",
                        "DTSTAMP",
                        "DTSTART",
                        "DTEND",
                        "SUMMARY",
                        "DESCRIPTION",
                        "LOCATION",
                        "STATUS",
                        "ORGANIZER");
        assertThat(FeedProbe.values(event, "SUMMARY")).containsExactly("A\\nATTENDEE:mailto:x@evil.test");
        assertThat(FeedProbe.values(event, "DESCRIPTION").findFirst().orElseThrow())
                .hasSizeBetween(4_000, 4_010)
                .endsWith("…");
        assertThat(text)
                .doesNotContain(
                        "4711", "bo@x.test", "No time", world.organization().toString());
        assertThat(text.split(id, -1)).as("the id, in the UID alone").hasSize(2);
        assertThat(text.lines().mapToInt(line -> line.getBytes(StandardCharsets.UTF_8).length))
                .allMatch(octets -> octets <= 75);
    }

    @Test
    void aLinkIsNotInTheLog() {
        CalendarProbe calendar = new CalendarProbe(world);
        Logger log = (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
        ListAppender<ILoggingEvent> lines = new ListAppender<>();
        lines.start();
        log.addAppender(lines);
        String file;
        try {
            String path =
                    URI.create(calendar.post("/feed", "").is(201).text("url")).getPath();
            file = path.substring("/calendar-feeds/".length());
            for (String each : List.of(path, path + "/", "/calendar-feed/" + file, path.replace(".ics", ""))) {
                world.anonymous().get(each);
                world.anonymous().send("HEAD", each, null);
                world.anonymous().post(each, "");
            }
            calendar.delete("/feed").is(202);
            world.anonymous().get(path).is(404);
        } finally {
            log.detachAppender(lines);
        }
        String secret = file.replace(".ics", "");
        assertThat(List.copyOf(lines.list))
                .hasSizeGreaterThan(10)
                .noneMatch(line -> line.getFormattedMessage().contains(secret)
                        || String.valueOf(line.getKeyValuePairs()).contains(secret));
    }

    @Test
    @Tag("long")
    void tenThousandEventsAreReadInSeconds() {
        CalendarProbe calendar = new CalendarProbe(world);
        String id = calendar.single(calendar.soon(3_600), calendar.soon(7_200));
        calendar.patch("/events/" + id, "{'description':'" + "d".repeat(2_000) + "'}")
                .is(200);
        copy(id, 9_998);
        calendar.series(calendar.soon(-86_400), "FREQ=DAILY");
        FeedProbe feed = new FeedProbe(world, calendar);
        long before = System.nanoTime();
        String text = feed.read().text();
        assertThat(Duration.ofNanos(System.nanoTime() - before)).isLessThan(Duration.ofSeconds(20));
        assertThat(text.length()).isBetween(7_900_000, 8 * 1024 * 1024);
        assertThat(text).as("what goes on longest found room first").contains("RRULE:FREQ=DAILY");
        assertThat(text).endsWith("END:VEVENT\r\nEND:VCALENDAR\r\n");
    }

    /** Copies an event in its calendar, each copy with an id of its own. */
    private static void copy(String id, int copies) {
        View all = View.of(world.organization());
        world.database()
                .write(
                        world.organization(),
                        tx -> tx.sql(all, """
                        insert into calendar_event
                        select (jsonb_populate_record(e, jsonb_build_object('event_id', gen_random_uuid(),
                            'uid', 'copy-' || n || '@x.test'))).*
                        from calendar_event e cross join generate_series(1, :copies) as n
                        where {e} and e.event_id = :id""")
                                .bind("copies", copies)
                                .bind("id", UUID.fromString(id))
                                .run());
    }

    @Test
    void aLibraryOfPythonReadsIt() throws IOException, InterruptedException {
        CalendarProbe calendar = new CalendarProbe(world);
        calendar.create("{'title':'Café; 1, 2\\nand 😀','timezone':'America/New_York','start':'2027-03-01T10:00:00',"
                        + "'end':'2027-03-01T11:00:00','recurrence':{'rule':'FREQ=WEEKLY;BYDAY=MO,WE'}}")
                .is(201);
        calendar.create("{'title':'Trip','all_day':true,'start':'2027-03-01','end':'2027-03-03'}")
                .is(201);
        List<String> said = new FeedProbe(world, calendar).asked("""
                import sys
                try:
                    import icalendar
                except ImportError:
                    print('not installed'); sys.exit()
                calendar = icalendar.Calendar.from_ical(open(sys.argv[1], 'rb').read())
                print(calendar['X-WR-CALNAME'])
                for event in calendar.walk('VEVENT'):
                    title = event['SUMMARY'].encode('unicode_escape').decode()
                    print(title, event['DTSTART'].dt.isoformat(), event['DTEND'].dt.isoformat())
                print(len(calendar.walk('VTIMEZONE')), [e for e in calendar.errors])
                """);
        assumeTrue(!said.getFirst().equals("not installed"), "Debian's python3-icalendar is not installed");
        assertThat(said)
                .containsExactlyInAnyOrder(
                        calendar.inbox(),
                        "Caf\\xe9; 1, 2\\nand \\U0001f600 2027-03-01T10:00:00-05:00 2027-03-01T11:00:00-05:00",
                        "Trip 2027-03-01 2027-03-04",
                        "1 []");
    }
}
