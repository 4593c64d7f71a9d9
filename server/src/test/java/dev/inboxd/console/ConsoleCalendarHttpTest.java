package dev.inboxd.console;

import static dev.inboxd.testing.JsonText.json;
import static dev.inboxd.testing.JsonText.members;
import static dev.inboxd.testing.JsonText.object;
import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.http.HttpProbe.Answer;
import dev.inboxd.server.World;
import dev.inboxd.testing.Eventually;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The calendar of an inbox at the console: its agenda and its months, by address alone. */
class ConsoleCalendarHttpTest {
    @RegisterExtension
    private static final World world = World.start();

    private static final String SENDS = "," + members("send_invites", true);

    private static ConsoleProbe console;
    private static String path;
    private static String zone;

    @BeforeAll
    static void start() {
        console = ConsoleProbe.of(world, "dates");
        path = "/inboxes/" + console.inbox() + "/calendar";
        zone = "," + members("timezone", "Europe/Berlin");
        Answer calendar = world.http().get("/v0" + path).is(200);
        world.http()
                .with("If-Match", String.valueOf(calendar.header("ETag")))
                .patch("/v0" + path, json("timezone", "Europe/Berlin"))
                .is(200);
    }

    private static String makes(String title, String start, String end, String more) {
        return world.http()
                .post("/v0" + path + "/events", """
                {"title":"%s","start":"%s","end":"%s"%s}""".formatted(title, start, end, more))
                .is(201)
                .text("event.event_id");
    }

    /** What stands in the cell of a day. */
    private static String day(String page, String date) {
        return ConsoleProbe.between(page, "<time datetime=\"" + date + "\">", "<time datetime");
    }

    @Test
    void aMonthHasEachEventOnItsDaysOfTheCalendar() {
        makes("Late <b>", "2031-10-31T23:30:00", "2031-11-01T00:30:00", zone);
        makes("Fair", "2031-11-03", "2031-11-04", "," + members("all_day", true) + zone);
        makes(
                "Round",
                "2031-11-05T09:00:00",
                "2031-11-05T09:15:00",
                "," + members("recurrence", object("rule", "FREQ=WEEKLY;COUNT=3")) + zone);
        String november = console.page(path + "?month=2031-11");
        assertThat(day(november, "2031-11-01")).contains("Late &lt;b&gt;").doesNotContain("23:30");
        assertThat(day(november, "2031-11-02")).doesNotContain("<a");
        assertThat(day(november, "2031-11-03")).contains("Fair");
        assertThat(day(november, "2031-11-04")).contains("Fair");
        assertThat(day(november, "2031-11-05")).contains("09:00</time> Round");
        assertThat(day(november, "2031-11-19")).contains("09:00</time> Round");
        assertThat(november)
                .contains(
                        "November 2031", "?month=2031-10\" aria-label=\"October 2031\">‹", "?month=2031-12\"", "Today")
                .contains("<li class=\"other free \"><time datetime=\"2031-10-27\">Mon 27");
        assertThat(day(console.page(path + "?month=2031-10"), "2031-10-31")).contains("23:30</time> Late");
        assertThat(console.page(path + "?month=2031-12")).contains("No events this month");
    }

    @Test
    void anEventIsOpenedAndCancelledInItsMonth() {
        String event = makes("Talk", "2032-02-29T10:00:00", "2032-02-29T11:00:00", zone);
        String page = console.page(path + "?month=2032-02&event=" + event);
        assertThat(page)
                .contains("<h2>Event</h2>", "2032-02-29 09:00:00 UTC", "2032-02-29 10:00:00 UTC", "Cancel event");
        Answer done = console.sends(path, "do", "cancel", "event_id", event, "month", "2032-02")
                .is(303);
        assertThat(done.header("Location")).isEqualTo("/console" + path + "?done=changed&month=2032-02");
        assertThat(console.page(path + "?month=2032-02")).doesNotContain("Talk");
    }

    @Test
    void aFullDayShowsTheFirstAndLeadsToTheRest() {
        for (int i = 0; i < 6; i++) {
            makes("Slot " + i, "2033-05-02T1" + i + ":00:00", "2033-05-02T1" + i + ":30:00", zone);
        }
        String may = console.page(path + "?month=2033-05");
        assertThat(may).contains("10:00</time> Slot 0", "2 more</a>").doesNotContain("Slot 5");
        assertThat(console.page(path + "?month=2033-05&day=2033-05-02")).contains("15:00 Slot 5");
        assertThat(may.length()).isLessThan(30_000);
    }

    @Test
    void anInvitationIsAnsweredInItsMonth() {
        console.received(
                "invited",
                "Subject: Lunch\r\nContent-Type: text/calendar; method=REQUEST; charset=utf-8\r\n\r\n"
                        + "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//shop//EN\r\nMETHOD:REQUEST\r\n"
                        + "BEGIN:VEVENT\r\nUID:lunch@shop.test\r\n"
                        + "DTSTAMP:20310101T000000Z\r\nDTSTART:20340703T110000Z\r\nDTEND:20340703T120000Z\r\n"
                        + "SUMMARY:Lunch\r\nORGANIZER:mailto:jo@shop.test\r\nATTENDEE;PARTSTAT=NEEDS-ACTION:mailto:"
                        + console.inbox() + "\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n");
        Eventually.await(() -> console.page(path + "?month=2034-07").contains("Lunch"));
        String july = console.page(path + "?month=2034-07");
        assertThat(day(july, "2034-07-03")).contains("13:00</time> Lunch");
        String event = ConsoleProbe.between(july, "&event=", "#");
        assertThat(console.page(path + "?month=2034-07&event=" + event)).contains("Accept", "Maybe", "Decline");
        console.sends(
                        path,
                        "do",
                        "respond",
                        "status",
                        "accepted",
                        "event_id",
                        event,
                        "etag",
                        tag(console.page(path + "?month=2034-07&event=" + event)),
                        "month",
                        "2034-07")
                .is(303);
        assertThat(console.page(path + "?month=2034-07&event=" + event))
                .contains("You answered: <span class=\"chip\">accepted")
                .doesNotContain("value=\"accepted\"");
    }

    @Test
    void anInvitationIsACardInItsConversation() {
        makes("Other call", "2035-03-01T10:30:00", "2035-03-01T11:30:00", "," + members("timezone", "UTC"));
        String thread = console.received("carded", """
                Subject: Call\r
                MIME-Version: 1.0\r
                Content-Type: multipart/mixed; boundary=b\r
                \r
                --b\r
                Content-Type: text/plain\r
                \r
                Please come\r
                --b\r
                Content-Type: text/calendar; method=REQUEST; charset=utf-8\r
                \r
                %s--b\r
                Content-Type: application/ics; name=invite.ics\r
                Content-Disposition: attachment; filename=invite.ics\r
                \r
                %s--b--\r
                """.formatted(invitation("REQUEST", 0), invitation("REQUEST", 0)));
        Eventually.await(() -> console.page(thread).contains("aria-label=\"Invitation\""));
        assertThat(console.page(thread))
                .contains(
                        "<b dir=\"auto\">Call</b>",
                        "data-when datetime=\"2035-03-01T10:00:00",
                        "Organizer: jo@shop.test",
                        "Conflict:</b> <span dir=\"auto\">Other call",
                        "value=\"accepted\">Accept",
                        "value=\"tentative\">Maybe",
                        "value=\"declined\">Decline")
                .contains("Calendar file</a>")
                .doesNotContain("invite.ics", "unnamed file", "Your answer goes to");
        answers(thread, console.page(thread), "declined").is(303);
        assertThat(console.page(thread)).contains("You answered: <span class=\"chip\">declined");
        console.received(
                "carded-2",
                "Subject: Off\r\nIn-Reply-To: <carded@shop.test>\r\n"
                        + "Content-Type: text/calendar; method=CANCEL; charset=utf-8\r\n\r\n"
                        + invitation("CANCEL", 1));
        Eventually.await(() -> console.page(thread).contains("aria-label=\"Cancelled\""));
        assertThat(console.page(thread)).doesNotContain("value=\"accepted\"");
    }

    /** The state that a page of an invitation shows. */
    private static String tag(String page) {
        return ConsoleProbe.between(page, "name=\"etag\" value=\"", "\">").replace("&#34;", "\"");
    }

    private static Answer answers(String where, String page, String status) {
        String event = ConsoleProbe.between(page, "name=\"event_id\" value=\"", "\"");
        return console.sends(where, "do", "respond", "status", status, "event_id", event, "etag", tag(page));
    }

    private static String invitation(String method, int sequence) {
        return calendar(
                method, """
                UID:carded@shop.test
                SEQUENCE:%s
                DTSTAMP:2031010%sT000000Z
                DTSTART:20350301T100000Z
                DTEND:20350301T110000Z
                SUMMARY:Call
                ORGANIZER:mailto:jo@shop.test
                %s""".formatted(sequence, sequence + 1, method.equals("CANCEL") ? "STATUS:CANCELLED\n" : ""));
    }

    private static String calendar(String method, String event) {
        return """
                BEGIN:VCALENDAR
                VERSION:2.0
                PRODID:-//shop//EN
                METHOD:%s
                BEGIN:VEVENT
                ATTENDEE;PARTSTAT=NEEDS-ACTION:mailto:%s
                %sEND:VEVENT
                END:VCALENDAR
                """.formatted(method, console.inbox(), event).replace("\n", "\r\n");
    }

    private static String invited(String id, String answering, String event) {
        return console.received(
                id,
                "Subject: S\r\n" + answering + "Content-Type: text/calendar; method=REQUEST; charset=utf-8\r\n\r\n"
                        + calendar("REQUEST", event));
    }

    @Test
    void anInvitationWithoutAnEndIsACardWithoutConflicts() {
        makes("Beside it", "2036-03-01T09:30:00", "2036-03-01T11:30:00", "," + members("timezone", "UTC"));
        String thread = invited("endless", "", """
                UID:endless@shop.test
                DTSTAMP:20310101T000000Z
                DTSTART:20360301T100000Z
                SUMMARY:Endless
                DESCRIPTION:Bring <b>figures</b>
                ORGANIZER:mailto:jo@shop.test
                """);
        Eventually.await(() -> console.page(thread).contains("aria-label=\"Invitation\""));
        assertThat(console.page(thread))
                .contains("Endless", "value=\"accepted\">Accept", "<summary>Description</summary>", "&lt;b&gt;figures")
                .doesNotContain("Conflict:");
    }

    @Test
    void anAnswerIsToWhatWasReadAndSaysWhereItGoes() {
        String event = """
                UID:moved@shop.test
                SEQUENCE:%s
                DTSTAMP:2031010%sT000000Z
                DTSTART:20360401T1%s0000Z
                DTEND:20360401T200000Z
                SUMMARY:Moved
                ORGANIZER;EMAIL=jo@shop.test:mailto:answers@elsewhere.test
                """;
        String thread = invited("moved", "", event.formatted(0, 1, 0));
        Eventually.await(() -> console.page(thread).contains("aria-label=\"Invitation\""));
        String old = console.page(thread);
        assertThat(old).contains("Your answer goes to <b>answers@elsewhere.test</b>, not to jo@shop.test");
        invited("moved-2", "In-Reply-To: <moved@shop.test>\r\n", event.formatted(1, 2, 5));
        Eventually.await(() -> console.page(thread).contains("aria-label=\"Updated invitation\""));
        assertThat(answers(thread, old, "accepted").is(412).text()).contains("The event was changed");
        assertThat(console.page(thread)).contains("value=\"accepted\">Accept").doesNotContain("You answered");
        answers(thread, console.page(thread), "accepted").is(303);
        assertThat(console.page(thread)).contains("You answered: <span class=\"chip\">accepted");
        String other = """
                UID:second@shop.test
                DTSTAMP:20310101T000000Z
                DTSTART:20360401T160000Z
                DTEND:20360401T170000Z
                SUMMARY:Second
                ORGANIZER:mailto:jo@shop.test
                """;
        answersNothing(thread, console.page(thread));
        invited("second", "In-Reply-To: <moved@shop.test>\r\n", other);
        Eventually.await(() -> console.page(thread).contains("<b dir=\"auto\">Second</b>"));
        assertThat(console.page(thread))
                .as("one event has its card")
                .containsOnlyOnce("class=\"notice invitation\"")
                .contains("Open event in calendar</a>", "Conflict:</b> <span dir=\"auto\">Moved");
    }

    private static void answersNothing(String thread, String page) {
        String event = ConsoleProbe.between(page, "name=\"event_id\" value=\"", "\"");
        console.sends(thread, "do", "respond", "status", "declined", "event_id", event)
                .is(400);
    }

    @Test
    void oneDateOfAnInvitedSeriesIsAnsweredAlone() {
        invited("weekly", "", """
                UID:weekly@shop.test
                DTSTAMP:20310101T000000Z
                DTSTART:20370105T100000Z
                DTEND:20370105T110000Z
                RRULE:FREQ=WEEKLY;COUNT=3
                SUMMARY:Weekly
                ORGANIZER:mailto:jo@shop.test
                """);
        Eventually.await(() -> console.page(path + "?month=2037-01").contains("Weekly"));
        String date = ConsoleProbe.between(day(console.page(path + "?month=2037-01"), "2037-01-12"), "event=", "#");
        String page = console.page(path + "?month=2037-01&event=" + date);
        assertThat(page).contains("Your answer is for this date only");
        answers(path, page, "declined").is(303);
        assertThat(console.page(path + "?month=2037-01&event=" + date)).contains("chip\">declined");
        String first = ConsoleProbe.between(day(console.page(path + "?month=2037-01"), "2037-01-05"), "event=", "#");
        assertThat(console.page(path + "?month=2037-01&event=" + first)).doesNotContain("You answered");
    }

    @Test
    void anEventIsMadeOnceAndKeptAsTypedWhenItIsNotMade() {
        String page = console.page(path + "?month=2038-01");
        String[] form = {
            "do",
            "create",
            "title",
            "Once <i>",
            "start",
            "2038-01-05T10:00",
            "end",
            "2038-01-05T11:00",
            "timezone",
            "UTC",
            "client_id",
            ConsoleProbe.between(page, "name=\"client_id\" value=\"", "\"")
        };
        console.sends(path, form).is(303);
        console.sends(path, form).is(303);
        assertThat(console.page(path + "?month=2038-01")).containsOnlyOnce("Once &lt;i");
        form[7] = "2038-01-05T09:00";
        form[11] = "another";
        assertThat(console.sends(path + "?month=2038-01", form).is(400).text())
                .contains(
                        "class=\"planning\" open",
                        "role=\"alert\"",
                        "name=\"title\" dir=\"auto\" value=\"Once &lt;i>\"",
                        "value=\"2038-01-05T09:00\"",
                        "January 2038");
    }

    @Test
    void cancellingTellsThoseWhoWereInvitedOrNobody() {
        String guest = ","
                + members("timezone", "UTC")
                + ","
                + members("attendees", List.of(object("email", "guest@elsewhere.test")));
        String quiet = makes("Quiet one", "2039-01-05T10:00:00", "2039-01-05T11:00:00", guest + SENDS);
        String told = makes("Told one", "2039-01-06T10:00:00", "2039-01-06T11:00:00", guest + SENDS);
        String never = makes("Never invited", "2039-01-07T10:00:00", "2039-01-07T11:00:00", guest);
        assertThat(console.page(path + "?event=" + told)).contains("Cancel and notify", "Cancel without notice");
        console.sends(path, "do", "cancel", "event_id", quiet).is(303);
        console.sends(path, "do", "cancel-tell", "event_id", never).is(303);
        console.sends(path, "do", "cancel-tell", "event_id", told).is(303);
        String sent = "/v0/inboxes/" + console.inbox() + "/messages?limit=100&labels=sent";
        Eventually.await(() -> world.http().get(sent).is(200).text().contains("Cancelled: Told one"));
        assertThat(world.http().get(sent).text())
                .contains("Invitation: Quiet one")
                .doesNotContain("Cancelled: Quiet one", "Cancelled: Never invited");
    }

    @Test
    void daysOfTheAgendaFollowEachOtherInAWesternZone() {
        String inbox = world.inbox("western");
        String calendar = "/v0/inboxes/" + inbox + "/calendar/events";
        String day = Instant.now().plus(Duration.ofDays(3)).toString().substring(0, 10);
        plans(calendar, """
                {"title":"Whole","start":"%s","end":"%s","all_day":true,"timezone":"UTC"}""".formatted(day, day));
        plans(calendar, """
                {"title":"Late","start":"%sT03:00:00","end":"%sT04:00:00","timezone":"UTC"}""".formatted(day, day));
        plans(calendar, """
                {"title":"Noon","start":"%sT20:00:00","end":"%sT21:00:00","timezone":"UTC"}""".formatted(day, day));
        String page = page("/inboxes/" + inbox + "/calendar", "America/Los_Angeles");
        assertThat(page.split("<li class=\"day\">", -1)).as("each day once").hasSize(3);
        assertThat(page.indexOf(">Late<")).isLessThan(page.indexOf(">Whole<"));
        assertThat(page.indexOf(">Whole<")).isLessThan(page.indexOf(">Noon<"));
    }

    private static void plans(String calendar, String event) {
        world.http().post(calendar, event).is(201);
    }

    @Test
    void aZoneThatDoesNotExistIsTheOneOfTheCalendar() {
        for (String zone : new String[] {"<script>", "..%2F..%2Fetc", "Europe/Nowhere", "GMT+99", "\"", ""}) {
            assertThat(page(path, zone)).contains("Times in Europe/Berlin").doesNotContain("Nowhere", "GMT+99");
        }
    }

    private static String page(String where, String zone) {
        return world.anonymous()
                .with("Cookie", world.operatorCookie() + "; zone=" + zone)
                .get("/console" + where)
                .is(200)
                .text();
    }

    @Test
    void theAgendaHasDaysAndASeriesOnce() {
        String inbox = world.inbox("agenda");
        String calendar = "/inboxes/" + inbox + "/calendar";
        Instant tomorrow = Instant.now().plus(Duration.ofDays(1)).truncatedTo(ChronoUnit.DAYS);
        String day = tomorrow.toString().substring(0, 10);
        console.sends(
                        calendar,
                        "do",
                        "create",
                        "title",
                        "Plan",
                        "start",
                        day + "T14:00",
                        "end",
                        day + "T15:00",
                        "timezone",
                        "UTC",
                        "location",
                        "Room 4")
                .is(303);
        world.http().post("/v0" + calendar + "/events", """
                {"title":"Stand-up","start":"%sT09:00:00","end":"%sT09:15:00","timezone":"UTC",
                "recurrence":{"rule":"FREQ=DAILY;COUNT=5"}}""".formatted(day, day)).is(201);
        String page = console.page(calendar);
        assertThat(page).containsOnlyOnce("<li class=\"day\">").contains("Room 4", "and 4 more", "09:00</time>");
        assertThat(page.indexOf("Stand-up")).isLessThan(page.indexOf("Plan"));
        assertThat(page).as("nothing is cancelled from the list").doesNotContain("Cancel event");
        String event = ConsoleProbe.between(page.substring(page.indexOf("14:00") - 200), "?event=", "#");
        assertThat(console.page(calendar + "?event=" + event)).contains("Cancel event…", "Room 4");
        String eastern = page(calendar, "Asia/Tokyo");
        assertThat(eastern).contains("18:00</time>", "Times in Asia/Tokyo");
    }

    @Test
    void whatIsNoMonthSaysWhatAMonthIs() {
        for (String month : new String[] {"2031-13", "x", "99999-01", "1899-12", "2031-11-01"}) {
            assertThat(world.operator()
                            .get("/console" + path + "?month=" + month)
                            .is(400)
                            .text())
                    .contains("A month is written like 2026-11");
        }
    }
}
