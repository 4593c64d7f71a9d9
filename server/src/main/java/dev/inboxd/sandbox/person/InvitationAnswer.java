package dev.inboxd.sandbox.person;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The iCalendar object by which somebody answers an invitation (RFC 5546 §3.2.3). */
final class InvitationAnswer {
    private static final DateTimeFormatter UTC =
            DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss'Z'", Locale.ROOT).withZone(ZoneOffset.UTC);
    private static final List<String> COPIED =
            List.of("UID", "SEQUENCE", "RECURRENCE-ID", "DTSTART", "DTEND", "DURATION", "ORGANIZER", "SUMMARY");

    private InvitationAnswer() {}

    /** The word for people. */
    static String word(ReactionKind kind) {
        return switch (kind) {
            case ACCEPT -> "Accepted";
            case TENTATIVE -> "Tentative";
            default -> "Declined";
        };
    }

    /** The answer to an invitation; empty when the calendar is none. */
    static Optional<String> of(String calendar, ReactionKind kind, String attendee, Instant at) {
        List<String> lines = unfolded(calendar);
        if (lines.stream().noneMatch("METHOD:REQUEST"::equalsIgnoreCase)) {
            return Optional.empty();
        }
        List<String> answer =
                new ArrayList<>(List.of("BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//sandbox//EN", "METHOD:REPLY"));
        answer.addAll(within(lines, "VTIMEZONE"));
        answer.add("BEGIN:VEVENT");
        within(lines, "VEVENT").stream().filter(InvitationAnswer::isKept).forEach(answer::add);
        answer.add("DTSTAMP:" + UTC.format(at));
        answer.add("ATTENDEE;PARTSTAT=" + status(kind) + ":mailto:" + attendee);
        answer.add("END:VEVENT");
        answer.add("END:VCALENDAR");
        return Optional.of(String.join("\r\n", answer) + "\r\n");
    }

    private static String status(ReactionKind kind) {
        return word(kind).toUpperCase(Locale.ROOT);
    }

    private static boolean isKept(String line) {
        return COPIED.stream().anyMatch(name -> line.startsWith(name + ":") || line.startsWith(name + ";"));
    }

    /** The lines of the first component of that name; with its begin and end, but for an event. */
    private static List<String> within(List<String> lines, String component) {
        int begin = lines.indexOf("BEGIN:" + component);
        int end = lines.indexOf("END:" + component);
        return begin < 0 || end < begin ? List.of() : lines.subList(begin, end + 1);
    }

    private static List<String> unfolded(String calendar) {
        List<String> lines = new ArrayList<>();
        calendar.lines().forEach(line -> {
            if (!lines.isEmpty() && (line.startsWith(" ") || line.startsWith("\t"))) {
                lines.set(lines.size() - 1, lines.getLast() + line.substring(1));
            } else {
                lines.add(line);
            }
        });
        return lines;
    }
}
