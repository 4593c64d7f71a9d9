package dev.inboxd.calendar.invitation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.http.HttpProbe;
import dev.inboxd.calendar.CalendarProbe;
import dev.inboxd.server.World;
import dev.inboxd.testing.Eventually;
import dev.inboxd.testing.Proves;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Whatever a calendar is, its mail arrives in time, and the calendar here stays as it is (ruling 44). */
class HostileCalendarsHttpTest {
    private static final String EVENT =
            "BEGIN:VEVENT\nUID:h\nDTSTAMP:20260101T000000Z\nDTSTART:20990105T100000Z\nORGANIZER:mailto:boss@boss.test\n"
                    + "SUMMARY:hostile\n";

    @RegisterExtension
    private static final World world = World.start();

    private static final Duration MOST = Duration.ofSeconds(2);

    @BeforeAll
    static void start() {
        world.dns().text("boss.test", "v=spf1 ip4:127.0.0.1 -all");
    }

    private static String calendar(String inside) {
        return "BEGIN:VCALENDAR\nVERSION:2.0\nMETHOD:REQUEST\n" + inside + "END:VCALENDAR\n";
    }

    private static Map<String, String> hostile() {
        Map<String, String> all = new LinkedHashMap<>();
        String rule = "BEGIN:STANDARD\nDTSTART:19700101T000000\nTZOFFSETFROM:+0100\nTZOFFSETTO:+0000\n"
                + "RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU\nEND:STANDARD\n";
        all.put(
                "zone",
                calendar("BEGIN:VTIMEZONE\nTZID:Nowhere\n" + rule.repeat(8_000) + "END:VTIMEZONE\n" + EVENT
                        + "END:VEVENT\n"));
        all.put(
                "attendees",
                calendar(EVENT
                        + IntStream.range(0, 10_000)
                                .mapToObj(number -> "ATTENDEE:mailto:a" + number + "@x.test\n")
                                .collect(Collectors.joining())
                        + "END:VEVENT\n"));
        all.put("large", calendar(EVENT + ("X-LONG:" + "x".repeat(60) + "\n").repeat(16_000) + "END:VEVENT\n"));
        all.put(
                "uids",
                calendar(IntStream.range(0, 100)
                        .mapToObj(number -> EVENT.replace("UID:h", "UID:h" + number) + "END:VEVENT\n")
                        .collect(Collectors.joining())));
        all.put("nested", calendar(EVENT + "BEGIN:X-A\n".repeat(1_000) + "END:X-A\n".repeat(1_000) + "END:VEVENT\n"));
        all.put("calendars", "BEGIN:VCALENDAR\n".repeat(60_000));
        all.put("no line ends", calendar(EVENT + "END:VEVENT\n").replace("\n", " "));
        all.put("secondly", calendar(EVENT + "RRULE:FREQ=SECONDLY\nEND:VEVENT\n"));
        all.put("count", calendar(EVENT + "RRULE:FREQ=SECONDLY;COUNT=1000000\nEND:VEVENT\n"));
        all.put("exrule", calendar(EVENT + "RRULE:FREQ=DAILY\nEXRULE:FREQ=WEEKLY\nEND:VEVENT\n"));
        all.put("following", calendar(EVENT + "RECURRENCE-ID;RANGE=THISANDFUTURE:20990105T100000Z\nEND:VEVENT\n"));
        all.put(
                "no zone",
                calendar(EVENT.replace("DTSTART:20990105T100000Z", "DTSTART;TZID=Mars:20990105T100000")
                        + "END:VEVENT\n"));
        return all;
    }

    @Test
    @Proves("A41")
    void theMailArrivesAndTheCalendarIsUntouched() {
        CalendarProbe calendar = new CalendarProbe(world);
        hostile().forEach((name, text) -> deliver(calendar, name, base64(text.getBytes(StandardCharsets.UTF_8))));
        byte[] octets = calendar(EVENT + "LOCATION:caf# END\nEND:VEVENT\n").getBytes(StandardCharsets.UTF_8);
        for (int octet : new int[] {0, 0xE9, 0xC3}) { // NUL, latin-1, half a character
            byte[] broken = octets.clone();
            broken[new String(octets, StandardCharsets.UTF_8).indexOf('#')] = (byte) octet;
            deliver(calendar, "octet " + octet, base64(broken));
        }
        deliver(calendar, "surrogate", base64(new byte[] {'B', (byte) 0xED, (byte) 0xA0, (byte) 0x80}));
        String last = deliver(
                calendar, "last", base64(calendar(EVENT + "END:VEVENT\n").getBytes(StandardCharsets.UTF_8)));
        Eventually.await(() -> message(calendar, last).at("calendar_event_id") != null);
        assertThat(calendar.list("/events?limit=100", "title")).containsExactly("hostile");
        assertThat(world.http()
                        .get("/v0/inboxes/" + calendar.inbox() + "/messages?limit=100")
                        .list("messages"))
                .hasSize(hostile().size() + 5);
    }

    private static String base64(byte[] octets) {
        return java.util.Base64.getMimeEncoder(76, new byte[] {'\n'}).encodeToString(octets);
    }

    private static String deliver(CalendarProbe calendar, String name, String content) {
        String id = "<" + name.replace(' ', '-') + "@boss.test>";
        Duration taken = time(calendar.inbox(), name, id, "text/calendar; charset=utf-8; method=REQUEST", content);
        if (taken.compareTo(MOST)
                > 0) { // on a machine that others use, a plain mail of the same size says what is much
            Duration plain =
                    time(world.inbox("plain-" + name.replace(' ', '-')), name, id, "application/octet-stream", content);
            assertThat(taken).as(name).isLessThan(plain.multipliedBy(10));
        }
        return id;
    }

    private static Duration time(String inbox, String name, String id, String type, String content) {
        long before = System.nanoTime();
        String reply = world.mail(
                "boss@boss.test",
                inbox,
                "From: boss@boss.test\nSubject: " + name + "\nMessage-ID: " + id + "\nMIME-Version: 1.0\n"
                        + "Content-Type: " + type + "\nContent-Transfer-Encoding: base64\n\n" + content + "\n");
        assertThat(reply).as(name).startsWith("250");
        return Duration.ofNanos(System.nanoTime() - before);
    }

    private static HttpProbe.Answer message(CalendarProbe calendar, String id) {
        return world.http()
                .get("/v0/inboxes/" + calendar.inbox() + "/messages/" + URLEncoder.encode(id, StandardCharsets.UTF_8));
    }
}
