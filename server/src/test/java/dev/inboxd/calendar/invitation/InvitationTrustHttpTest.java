package dev.inboxd.calendar.invitation;

import static dev.inboxd.testing.JsonText.json;
import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.http.HttpProbe;
import dev.inboxd.calendar.CalendarProbe;
import dev.inboxd.server.World;
import dev.inboxd.testing.Eventually;
import dev.inboxd.testing.Proves;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Whose calendars are taken in, and which state of them (calendar.md §7, rulings 65 to 67, 74, 76). The client is
 * 127.0.0.1, which boss.test and eve.test name in SPF.
 */
class InvitationTrustHttpTest {
    private static final AtomicInteger NUMBER = new AtomicInteger();

    @RegisterExtension
    private static final World world = World.start();

    @BeforeAll
    static void start() {
        String here = "v=spf1 ip4:127.0.0.1 -all";
        world.dns().text("boss.test", here).text("eve.test", here);
    }

    /** A calendar of one event; each member replaces the usual property of its name, or is one more. */
    private static String calendar(String method, String uid, String... properties) {
        StringBuilder text = new StringBuilder("BEGIN:VCALENDAR\nVERSION:2.0\nMETHOD:" + method + "\nBEGIN:VEVENT\nUID:"
                + uid + "\nDTSTART:20990105T100000Z\nDTEND:20990105T110000Z\n");
        boolean hasOrganizer = false;
        boolean hasStamp = false;
        for (String property : properties) {
            text.append(property).append('\n');
            hasOrganizer |= property.startsWith("ORGANIZER");
            hasStamp |= property.startsWith("DTSTAMP");
        }
        text.append(hasOrganizer ? "" : "ORGANIZER:mailto:boss@boss.test\n");
        text.append(hasStamp ? "" : "DTSTAMP:20260101T000000Z\n");
        return text + "END:VEVENT\nEND:VCALENDAR\n";
    }

    private static String mail(String from, CalendarProbe to, String header, String calendar) {
        String id = "<c" + NUMBER.incrementAndGet() + "@boss.test>";
        String reply = world.mail(
                from,
                to.inbox(),
                "From: " + from + "\nTo: " + to.inbox() + "\nSubject: Invitation\nMessage-ID: " + id + "\n" + header
                        + "MIME-Version: 1.0\nContent-Type: text/calendar; charset=utf-8; method=REQUEST\n\n"
                        + calendar);
        assertThat(reply).startsWith("250");
        return id;
    }

    private static HttpProbe.Answer message(CalendarProbe calendar, String id) {
        return world.http()
                .get("/v0/inboxes/" + calendar.inbox() + "/messages/" + URLEncoder.encode(id, StandardCharsets.UTF_8))
                .is(200);
    }

    /** Waits until everything that came before is taken in: a last invitation is. */
    private static void settle(CalendarProbe calendar) {
        String last = mail("boss@boss.test", calendar, "", calendar("REQUEST", "last" + NUMBER.get(), "SUMMARY:last"));
        Eventually.await(() -> message(calendar, last).at("calendar_event_id") != null);
    }

    private static List<?> titles(CalendarProbe calendar) {
        settle(calendar);
        return calendar.list("/events?limit=100", "title").stream()
                .filter(title -> !"last".equals(title))
                .toList();
    }

    @Test
    @Proves("A41")
    void onlyTheCertainWordOfTheOrganizerIsTakenIn() {
        CalendarProbe calendar = new CalendarProbe(world);
        String evil = "SUMMARY:forged";
        String request = calendar("REQUEST", "f1", evil);
        mail("boss@nowhere.test", calendar, "", request);
        mail("eve@eve.test", calendar, "", request);
        mail("eve@eve.test", calendar, "Sender: boss@boss.test\nReply-To: boss@boss.test\n", request);
        mail(
                "eve@eve.test",
                calendar,
                "",
                calendar("REQUEST", "f2", evil, "ORGANIZER;SENT-BY=\"mailto:eve@eve.test\":mailto:boss@boss.test"));
        for (String from : List.of("boss@boss.test", "boss@boss.test, eve@eve.test")) {
            world.mail(
                    "eve@eve.test",
                    calendar.inbox(),
                    "From: " + from + "\nSubject: x\nMIME-Version: 1.0\n"
                            + "Content-Type: text/calendar; method=REQUEST\n\n" + request);
        }
        world.http()
                .post("/v0/inboxes/" + calendar.inbox() + "/lists/receive/block", json("entry", "bad@boss.test"))
                .is(200);
        mail("bad@boss.test", calendar, "", calendar("REQUEST", "f3", evil, "ORGANIZER:mailto:bad@boss.test"));
        assertThat(titles(calendar)).isEmpty();
        String true_ = mail("boss@boss.test", calendar, "", calendar("REQUEST", "f1", "SUMMARY:real"));
        Eventually.await(() -> message(calendar, true_).at("calendar_event_id") != null);
        mail("eve@eve.test", calendar, "", calendar("CANCEL", "f1", evil, "SEQUENCE:9"));
        mail(
                "eve@eve.test",
                calendar,
                "",
                calendar("CANCEL", "f1", evil, "SEQUENCE:9", "ORGANIZER:mailto:eve@eve.test"));
        String taken = mail(
                "eve@eve.test",
                calendar,
                "",
                calendar("REQUEST", "f1", evil, "SEQUENCE:9", "ORGANIZER:mailto:eve@eve.test"));
        assertThat(titles(calendar)).isEqualTo(List.of("real"));
        assertThat(calendar.list("/events?limit=100", "status")).doesNotContain("cancelled");
        assertThat(message(calendar, taken).at("calendar_event_id")).isNull();
        assertThat(world.http()
                        .get("/v0/inboxes/" + calendar.inbox()
                                + "/messages?limit=100&include_unauthenticated=true&include_blocked=true")
                        .list("messages"))
                .as("the mail arrives")
                .hasSizeGreaterThanOrEqualTo(13);
    }

    @Test
    @Proves("A41")
    void anEventOfOurOwnIsNobodyElsesToChange() {
        CalendarProbe calendar = new CalendarProbe(world);
        HttpProbe.Answer own = calendar.create("{'title':'Ours','start':'2099-01-05T10:00:00',"
                        + "'end':'2099-01-05T11:00:00','attendees':[{'email':'jo@eve.test'}]}")
                .is(201);
        String uid = own.text("event.uid");
        mail(
                "eve@eve.test",
                calendar,
                "",
                calendar("REQUEST", uid, "SUMMARY:x", "SEQUENCE:5", "ORGANIZER:mailto:eve@eve.test"));
        mail(
                "eve@eve.test",
                calendar,
                "",
                calendar("CANCEL", uid, "SUMMARY:x", "SEQUENCE:5", "ORGANIZER:mailto:eve@eve.test"));
        mail("eve@eve.test", calendar, "", reply(calendar, uid, "eve@eve.test", "ACCEPTED"));
        mail("eve@eve.test", calendar, "", reply(calendar, uid, "jo@eve.test", "ACCEPTED"));
        settle(calendar);
        HttpProbe.Answer now = calendar.get("/events/" + own.text("event.event_id"));
        assertThat(now.text("title")).isEqualTo("Ours");
        assertThat(now.text("attendees.0.status")).isEqualTo("needs_action");
        mail("jo@eve.test", calendar, "", reply(calendar, uid, "jo@eve.test", "TENTATIVE"));
        settle(calendar);
        assertThat(calendar.get("/events/" + own.text("event.event_id")).text("attendees.0.status"))
                .isEqualTo("tentative");
        mail("jo@eve.test", calendar, "", reply(calendar, uid, "jo@eve.test", "DECLINED", "DTSTAMP:20251231T000000Z"));
        settle(calendar);
        assertThat(calendar.get("/events/" + own.text("event.event_id")).text("attendees.0.status"))
                .as("an older answer")
                .isEqualTo("tentative");
    }

    private static String reply(CalendarProbe calendar, String uid, String who, String status, String... more) {
        String[] all = new String[more.length + 2];
        System.arraycopy(more, 0, all, 2, more.length);
        all[0] = "ATTENDEE;PARTSTAT=" + status + ":mailto:" + who;
        all[1] = "ORGANIZER:mailto:" + calendar.inbox();
        return calendar("REPLY", uid, all);
    }

    @Test
    void theNewestStateStaysHoweverTheMailsCome() {
        CalendarProbe calendar = new CalendarProbe(world);
        mail("boss@boss.test", calendar, "", calendar("REQUEST", "n1", "SUMMARY:second", "SEQUENCE:2"));
        settle(calendar);
        mail("boss@boss.test", calendar, "", calendar("REQUEST", "n1", "SUMMARY:first", "SEQUENCE:1"));
        mail("boss@boss.test", calendar, "", calendar("REQUEST", "n1", "SUMMARY:same", "SEQUENCE:2"));
        mail(
                "boss@boss.test",
                calendar,
                "",
                calendar("REQUEST", "n1", "SUMMARY:older", "SEQUENCE:2", "DTSTAMP:20251231T235959Z"));
        assertThat(titles(calendar)).isEqualTo(List.of("second"));
        mail(
                "boss@boss.test",
                calendar,
                "",
                calendar("REQUEST", "n1", "SUMMARY:third", "SEQUENCE:2", "DTSTAMP:20260101T000001Z"));
        assertThat(titles(calendar)).isEqualTo(List.of("third"));
        mail("boss@boss.test", calendar, "", calendar("CANCEL", "n1", "SUMMARY:x", "SEQUENCE:1"));
        settle(calendar);
        assertThat(calendar.list("/events?limit=100", "status")).doesNotContain("cancelled");
        for (String method : List.of("COUNTER", "REFRESH", "PUBLISH", "ADD")) {
            mail("boss@boss.test", calendar, "", calendar(method, "n1", "SUMMARY:no", "SEQUENCE:7"));
            mail("boss@boss.test", calendar, "", calendar(method, "n2", "SUMMARY:no", "SEQUENCE:7"));
        }
        assertThat(titles(calendar)).isEqualTo(List.of("third"));
    }

    @Test
    void whatAnAgentNotedStaysAndWhatTheOrganizerSaysComes() {
        CalendarProbe calendar = new CalendarProbe(world);
        mail("boss@boss.test", calendar, "", calendar("REQUEST", "k1", "SUMMARY:one", "LOCATION:here"));
        settle(calendar);
        Map<?, ?> event = calendar.list("/events?limit=100").stream()
                .filter(each -> "one".equals(each.get("title")))
                .findFirst()
                .orElseThrow();
        String path = "/events/" + event.get("event_id");
        calendar.patch(path, "{'metadata':{'note':1},'title':'mine'}").is(200);
        mail("boss@boss.test", calendar, "", calendar("REQUEST", "k1", "SUMMARY:two", "SEQUENCE:1"));
        settle(calendar);
        HttpProbe.Answer now = calendar.get(path);
        assertThat(now.text("title")).isEqualTo("two");
        assertThat(now.at("metadata")).isEqualTo(Map.of("note", 1L));
        assertThat(now.at("location")).isNull();
    }

    @Test
    void twoPartsThatDifferAreNotTakenIn() {
        CalendarProbe calendar = new CalendarProbe(world);
        for (String second : List.of("other", "same")) {
            String one = calendar("REQUEST", "p-" + second, "SUMMARY:same");
            String two = calendar("REQUEST", "p-" + second, "SUMMARY:" + second);
            world.mail(
                    "boss@boss.test",
                    calendar.inbox(),
                    "From: boss@boss.test\nSubject: two\nMIME-Version: 1.0\n"
                            + "Content-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: text/calendar\n\n" + one
                            + "--b\nContent-Type: application/octet-stream; name=invite.ics\n\n" + two + "--b--\n");
        }
        settle(calendar);
        assertThat(calendar.list("/events?limit=100", "uid")).contains("p-same").doesNotContain("p-other");
    }
}
