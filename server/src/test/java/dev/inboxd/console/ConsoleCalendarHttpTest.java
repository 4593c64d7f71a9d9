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
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The calendar of an inbox at the console: its agenda and its months, by address alone. */
class ConsoleCalendarHttpTest {
    @RegisterExtension
    private static final World world = World.start();

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
        assertThat(console.page(path + "?month=2031-12")).contains("Nothing takes place in this month");
    }

    @Test
    void anEventIsOpenedAndCancelledInItsMonth() {
        String event = makes("Talk", "2032-02-29T10:00:00", "2032-02-29T11:00:00", zone);
        String page = console.page(path + "?month=2032-02&event=" + event);
        assertThat(page).contains("<h2>Event</h2>", "2032-02-29 09:00:00 UTC", "2032-02-29 10:00:00 UTC", "Cancel it");
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
        console.sends(path, "do", "respond", "status", "accepted", "event_id", event, "month", "2034-07")
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
                        "jo@shop.test invites",
                        "At the same time:</b> <span dir=\"auto\">Other call",
                        "value=\"accepted\">Accept",
                        "value=\"tentative\">Maybe",
                        "value=\"declined\">Decline")
                .doesNotContain("invite.ics", "unnamed file");
        String event = ConsoleProbe.between(console.page(thread), "name=\"event_id\" value=\"", "\"");
        console.sends(thread, "do", "respond", "status", "declined", "event_id", event)
                .is(303);
        assertThat(console.page(thread)).contains("You answered: <span class=\"chip\">declined");
        console.received(
                "carded-2",
                "Subject: Off\r\nIn-Reply-To: <carded@shop.test>\r\n"
                        + "Content-Type: text/calendar; method=CANCEL; charset=utf-8\r\n\r\n"
                        + invitation("CANCEL", 1));
        Eventually.await(() -> console.page(thread).contains("aria-label=\"Cancelled\""));
        assertThat(console.page(thread)).doesNotContain("value=\"accepted\"");
    }

    private static String invitation(String method, int sequence) {
        return """
                BEGIN:VCALENDAR
                VERSION:2.0
                PRODID:-//shop//EN
                METHOD:%s
                BEGIN:VEVENT
                UID:carded@shop.test
                SEQUENCE:%s
                DTSTAMP:2031010%sT000000Z
                DTSTART:20350301T100000Z
                DTEND:20350301T110000Z
                SUMMARY:Call
                ORGANIZER:mailto:jo@shop.test
                ATTENDEE;PARTSTAT=NEEDS-ACTION:mailto:%s
                %sEND:VEVENT
                END:VCALENDAR
                """.formatted(
                        method,
                        sequence,
                        sequence + 1,
                        console.inbox(),
                        method.equals("CANCEL") ? "STATUS:CANCELLED\n" : "")
                .replace("\n", "\r\n");
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
        assertThat(page).as("nothing is cancelled from the list").doesNotContain("Cancel it");
        String event = ConsoleProbe.between(page.substring(page.indexOf("14:00") - 200), "?event=", "#");
        assertThat(console.page(calendar + "?event=" + event)).contains("Cancel it…", "Room 4");
        String eastern = world.anonymous()
                .with("Cookie", world.operatorCookie() + "; zone=Asia/Tokyo")
                .get("/console" + calendar)
                .is(200)
                .text();
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
