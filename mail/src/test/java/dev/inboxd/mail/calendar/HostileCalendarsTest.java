package dev.inboxd.mail.calendar;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.inboxd.testing.Proves;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Calendars made to keep a server busy: each is read or refused in little time and memory. */
@Tag("alone")
class HostileCalendarsTest {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private static final long CPU_NANOS = 500_000_000L;
    private static final long OCTETS = 96L * 1024 * 1024;
    private static final int MEBIBYTE = 1024 * 1024;

    private static final Map<String, String> HOSTILE = new TreeMap<>(Map.ofEntries(
            Map.entry("rules of a zone", zone("RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU\r\n".repeat(10_000))),
            Map.entry(
                    "observances of a zone",
                    zone("BEGIN:STANDARD\r\nDTSTART:19700101T000000\r\nRRULE:FREQ=SECONDLY\r\nEND:STANDARD\r\n"
                            .repeat(10_000))),
            Map.entry("zones", many("BEGIN:VTIMEZONE\r\nTZID:%d\r\nX-LIC-LOCATION:x\r\nEND:VTIMEZONE\r\n", 2_400)),
            Map.entry("attendees", event(lines("ATTENDEE;CN=%1$d:mailto:a%1$d@x.test\r\n", 10_000))),
            Map.entry("attendees of many events", dates(lines("ATTENDEE:mailto:a%d@x.test\r\n", 90), 367)),
            Map.entry("attendees of one address", event("ATTENDEE:mailto:a@x.test\r\n".repeat(1_000))),
            Map.entry("international addresses", event(lines("ATTENDEE:mailto:a@ü%d.ü.ü.ü.ü.test\r\n", 1_000))),
            Map.entry("levels", "BEGIN:VCALENDAR\r\n" + "BEGIN:X\r\n".repeat(1_000) + "END:X\r\n".repeat(1_000)),
            Map.entry("calendars", "BEGIN:VCALENDAR\r\n".repeat(60_000)),
            Map.entry("calendars in a row", "BEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n".repeat(30_000)),
            Map.entry("UIDs", whole(lines("BEGIN:VEVENT\r\nUID:%d\r\nDTSTART:20261015\r\nEND:VEVENT\r\n", 100))),
            Map.entry("one line", "BEGIN:VCALENDAR\r\n" + "a".repeat(MEBIBYTE - 17)),
            Map.entry("no line", "A".repeat(MEBIBYTE)),
            Map.entry("line ends", "\r".repeat(MEBIBYTE)),
            Map.entry("folds", filled("BEGIN:VCALENDAR\r\nSUMMARY:", "\r\n a")),
            Map.entry("short lines", filled("BEGIN:VCALENDAR\r\n", "A\n")),
            Map.entry("short properties", filled("BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\n", "DTEND:\n")),
            Map.entry("parameters", event("SUMMARY" + ";A=1".repeat(250_000) + ":x\r\n")),
            Map.entry("colliding parameters", event("SUMMARY" + colliding() + ":x\r\n")),
            Map.entry("quotes", event("SUMMARY;A=" + "\"".repeat(1_000_000) + ":x\r\n")),
            Map.entry("circumflexes", event("SUMMARY;A=" + "^".repeat(1_000_000) + ":x\r\n")),
            Map.entry("backslashes", event("DESCRIPTION:" + "\\".repeat(1_000_000) + "\r\n")),
            Map.entry("percent signs", event("ORGANIZER:mailto:" + "%41".repeat(20_000) + "@x.test\r\n")),
            Map.entry("dots of an address", event("ORGANIZER:mailto:a@" + "a.".repeat(400) + "test\r\n")),
            Map.entry("slashes of a zone", event("EXDATE;TZID=" + "/a".repeat(30_000) + ":20261015T000000\r\n")),
            Map.entry("dates without a rule", event("EXDATE;TZID=Asia/Tokyo:20261015T120000\r\n".repeat(1_000))),
            Map.entry("commas", event("RDATE:" + ",".repeat(60_000) + "\r\n")),
            Map.entry("empty lists", event("RDATE:,,,,\r\n".repeat(80_000))),
            Map.entry("days of a rule of seconds", event("RRULE:FREQ=SECONDLY\r\nEXDATE;VALUE=DATE:99991231\r\n")),
            Map.entry(
                    "days of a rule that has none",
                    event("RRULE:FREQ=SECONDLY;BYMONTH=2;BYMONTHDAY=30\r\n"
                            + lines("EXDATE;VALUE=DATE:%04d1015\r\n", 999).replace("DATE:0", "DATE:3"))),
            Map.entry("a rule that is counted", event("RRULE:FREQ=DAILY;BYMONTHDAY=29;BYMONTH=2;COUNT=10000\r\n")),
            Map.entry(
                    "starts of a rule in a zone of its own",
                    zone("BEGIN:STANDARD\r\nDTSTART:19700101T000000\r\nTZOFFSETFROM:+0100\r\nTZOFFSETTO:+0100\r\n"
                                            + "END:STANDARD\r\n")
                                    .replace("BEGIN:VEVENT\r\n", foreign("20261015T120000") + "BEGIN:VEVENT\r\n")
                                    .replace("END:VCALENDAR\r\n", "")
                            + foreign("20261015T120000,".repeat(4_000)).repeat(3)
                            + "END:VCALENDAR\r\n"),
            Map.entry(
                    "rules of a zone that make nothing",
                    zone(("BEGIN:STANDARD\r\nDTSTART:19700101T000000\r\nTZOFFSETFROM:+0100\r\nTZOFFSETTO:+0100\r\n"
                                            + "RRULE:FREQ=SECONDLY;BYMONTH=2;BYMONTHDAY=30\r\nEND:STANDARD\r\n")
                                    .repeat(20))
                            .replace("BEGIN:VEVENT\r\n", foreign("20261015T120000") + "BEGIN:VEVENT\r\n")),
            Map.entry("lengths", event("RDATE:" + "20261016T120000Z/P999999999W,".repeat(900) + "\r\n")),
            Map.entry("numbers", event("SEQUENCE:" + "9".repeat(60_000) + "\r\n"))));

    static List<String> hostile() {
        return List.copyOf(HOSTILE.keySet());
    }

    @BeforeAll
    static void warmUp() {
        // The compiler's time is no calendar's.
        for (int i = 0; i < 3; i++) {
            HOSTILE.values().forEach(CalendarFiles::result);
        }
    }

    @ParameterizedTest
    @MethodSource("hostile")
    @Proves("A41")
    void isSoonReadOrRefused(String name) {
        byte[] octets = Objects.requireNonNull(HOSTILE.get(name)).getBytes(StandardCharsets.UTF_8);
        long cpu = THREADS.getCurrentThreadCpuTime();
        long allocated = THREADS.getCurrentThreadAllocatedBytes();
        ReadResult result = ICalendarReader.read(octets, null, CalendarFiles.ZONE);
        long allocatedNow = THREADS.getCurrentThreadAllocatedBytes();
        long cpuNow = THREADS.getCurrentThreadCpuTime();
        assertThat(cpuNow - cpu).as(name + ": " + result.getClass()).isLessThan(CPU_NANOS);
        assertThat(allocatedNow - allocated).isLessThan(OCTETS);
    }

    @Test
    void whatIsTooMuchIsRefusedAndWhatIsPassedOverIsNot() {
        Map<String, String> refused = new TreeMap<>();
        HOSTILE.forEach((name, text) -> {
            if (CalendarFiles.result(text) instanceof ReadResult.Refusal refusal) {
                refused.put(name, refusal.reason());
            }
        });
        assertThat(refused)
                .containsEntry("observances of a zone", "There are too many components")
                .containsEntry("attendees", "An event has too many attendees")
                .containsEntry("levels", "Components are nested too deep")
                .containsEntry("calendars", "Components are nested too deep")
                .containsEntry("calendars in a row", "There is more than one calendar")
                .containsEntry("UIDs", "There is more than one UID")
                .containsEntry("no line", "It has no line ends")
                .doesNotContainKeys("rules of a zone", "zones", "attendees of many events", "backslashes", "quotes");
    }

    private static String whole(String components) {
        return "BEGIN:VCALENDAR\r\n" + components + "END:VCALENDAR\r\n";
    }

    private static String event(String properties) {
        return whole("BEGIN:VEVENT\r\nUID:1\r\nDTSTART:20261015T120000Z\r\n" + properties + "END:VEVENT\r\n");
    }

    private static String zone(String rules) {
        return whole("BEGIN:VTIMEZONE\r\nTZID:a\r\n" + rules + "END:VTIMEZONE\r\n" + CalendarFiles.event());
    }

    /** A series in the zone of {@link #zone}. */
    private static String foreign(String start) {
        return "BEGIN:VEVENT\r\nUID:1\r\nDTSTART;TZID=a:" + start
                + "\r\nRRULE:FREQ=DAILY;COUNT=10000\r\nEND:VEVENT\r\n";
    }

    private static String many(String component, int count) {
        return whole(lines(component, count) + CalendarFiles.event());
    }

    private static String dates(String properties, int count) {
        return whole(("BEGIN:VEVENT\r\nUID:1\r\nDTSTART:20261015T120000Z\r\nRECURRENCE-ID:20261015T120000Z\r\n"
                        + properties + "END:VEVENT\r\n")
                .repeat(count));
    }

    private static String lines(String line, int count) {
        return IntStream.range(0, count).mapToObj(line::formatted).collect(Collectors.joining());
    }

    private static String filled(String head, String filler) {
        return head + filler.repeat((MEBIBYTE - head.length()) / filler.length());
    }

    /** Names of one hash code. */
    private static String colliding() {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < 1 << 14; i++) {
            text.append(';');
            for (int bit = 0; bit < 14; bit++) {
                text.append((i >> bit & 1) == 0 ? "AO" : "B0");
            }
            text.append("=1");
        }
        return text.toString();
    }
}
