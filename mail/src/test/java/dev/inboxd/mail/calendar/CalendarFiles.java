package dev.inboxd.mail.calendar;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZoneId;
import java.util.List;

/** Calendars for the tests of the reader. */
final class CalendarFiles {
    static final ZoneId ZONE = ZoneId.of("Europe/Berlin");

    private CalendarFiles() {}

    /** One of ours, made after the public descriptions of what programs write, with the line ends of mail. */
    static ReadResult.Calendar file(String name) throws IOException {
        String text = Files.readString(Path.of("mail/src/test/resources/calendars", name));
        return calendar(text.replace("\n", "\r\n"));
    }

    /** An event with these lines, and a start where they have none. */
    static String event(String... lines) {
        String text = String.join("\r\n", lines);
        String start = List.of(lines).stream().anyMatch(line -> line.startsWith("DTSTART"))
                ? ""
                : "DTSTART:20261015T120000Z\r\n";
        return "BEGIN:VEVENT\r\nUID:1@x.test\r\n" + start + text + (text.isEmpty() ? "" : "\r\n") + "END:VEVENT\r\n";
    }

    static String whole(String... components) {
        return "BEGIN:VCALENDAR\r\nVERSION:2.0\r\n" + String.join("", components) + "END:VCALENDAR\r\n";
    }

    static ReadResult.Calendar calendar(String text) {
        ReadResult result = result(text);
        assertThat(result).as(text).isInstanceOf(ReadResult.Calendar.class);
        return (ReadResult.Calendar) result;
    }

    /** The one event that has these lines. */
    static ReadEvent read(String... lines) {
        return calendar(whole(event(lines))).events().getFirst();
    }

    /** Why an event with these lines is refused. */
    static String refusal(String... lines) {
        return refusalOf(whole(event(lines)));
    }

    static String refusalOf(String text) {
        return refusalOf(result(text));
    }

    static String refusalOf(ReadResult result) {
        assertThat(result).isInstanceOf(ReadResult.Refusal.class);
        return ((ReadResult.Refusal) result).reason();
    }

    static ReadResult result(String text) {
        return ICalendarReader.read(text.getBytes(StandardCharsets.UTF_8), null, ZONE);
    }
}
