package dev.inboxd.mail.calendar;

import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.mail.auth.PublishedCases;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Calendars that another mail server publishes, many of them strange, each read or refused for a reason that holds. */
class PublishedCalendarsTest {
    /** Every file that is not read, by why. */
    private static final Map<String, String> REFUSED = refused(
            "A zone is not known: 008 104 107",
            "An event does not say when it begins: 029 098 272",
            "An event ends before it begins: 017",
            "An event has no UID: 086 089 095 218",
            "It does not begin with a calendar: 053 056 059 062 068 092 125 128 131 134 137 140 143",
            "It is not in UTF-8: 050",
            "Start and end are of two kinds: 014",
            "There is more than one UID: 011 023 026 032 041 149 161 167 176 179 182 185 194 209 221 224 233 245",
            "There is more than one calendar: 110",
            "There is no event: 113 119 152 170 212 236 242 248 263 266 275 278 281 284 287");

    @Test
    void everyFileIsReadOrRefusedForAReason() throws IOException {
        Map<String, String> refused = new TreeMap<>();
        int read = 0;
        for (Path file : files()) {
            ReadResult result = ICalendarReader.read(Files.readAllBytes(file), null, CalendarFiles.ZONE);
            if (result instanceof ReadResult.Refusal refusal) {
                refused.put(name(file), refusal.reason());
            } else {
                read++;
            }
        }
        System.out.println("Published calendars: " + read + " read, " + refused.size() + " refused");
        assertThat(refused).isEqualTo(REFUSED);
        assertThat(read + refused.size()).isEqualTo(101);
    }

    /** The events of a whole calendar one by one, as mail would bring them. */
    @Test
    void theEventsOfWholeCalendarsAreReadOneByOne() throws IOException {
        Map<String, TreeSet<String>> refused = new TreeMap<>();
        int read = 0;
        for (Path file : files()) {
            for (String single : singles(new String(Files.readAllBytes(file), StandardCharsets.UTF_8))) {
                ReadResult result =
                        ICalendarReader.read(single.getBytes(StandardCharsets.UTF_8), null, CalendarFiles.ZONE);
                if (result instanceof ReadResult.Refusal refusal) {
                    refused.computeIfAbsent(refusal.reason(), _ -> new TreeSet<>())
                            .add(name(file));
                } else {
                    read++;
                }
            }
        }
        System.out.println("Published events: " + read + " read; refused " + refused);
        assertThat(read).isEqualTo(945);
    }

    /** A calendar for each UID of a file; an event without one gets it. */
    private static List<String> singles(String text) {
        String unfolded = text.replace("\r\n", "\n")
                .replace("\r", "\n")
                .replace("\n ", "")
                .replace("\n\t", "");
        StringBuilder zones = new StringBuilder();
        Map<String, StringBuilder> events = new LinkedHashMap<>();
        List<String> open = new ArrayList<>();
        boolean isZone = false;
        for (String line : unfolded.split("\n", -1)) {
            String upper = line.strip().toUpperCase(Locale.ROOT);
            isZone |= upper.equals("BEGIN:VTIMEZONE");
            if (isZone) {
                zones.append(line).append('\n');
                isZone = !upper.equals("END:VTIMEZONE");
            } else if (!open.isEmpty() || upper.equals("BEGIN:VEVENT")) {
                open.add(line);
                if (upper.equals("END:VEVENT")) {
                    String uid = open.stream()
                            .filter(each -> each.startsWith("UID"))
                            .findFirst()
                            .orElse("");
                    if (uid.isEmpty()) {
                        uid = "UID:none-" + events.size();
                        open.add(1, uid);
                    }
                    events.computeIfAbsent(uid, _ -> new StringBuilder())
                            .append(String.join("\n", open))
                            .append('\n');
                    open.clear();
                }
            }
        }
        return events.values().stream()
                .map(event -> "BEGIN:VCALENDAR\n" + zones + event + "END:VCALENDAR\n")
                .toList();
    }

    private static Map<String, String> refused(String... lines) {
        Map<String, String> refused = new TreeMap<>();
        for (String line : lines) {
            String reason = line.substring(0, line.indexOf(':'));
            Stream.of(line.substring(line.indexOf(':') + 2).split(" ")).forEach(name -> refused.put(name, reason));
        }
        return refused;
    }

    private static List<Path> files() throws IOException {
        try (Stream<Path> files = Files.list(PublishedCases.file("ical"))) {
            return files.filter(file -> file.toString().endsWith(".ics"))
                    .sorted()
                    .toList();
        }
    }

    private static String name(Path file) {
        return file.getFileName().toString().replace(".ics", "");
    }
}
