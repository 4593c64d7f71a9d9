package dev.inboxd.calendar.invitation;

import dev.inboxd.calendar.content.EventContent;
import dev.inboxd.calendar.content.EventWords;
import dev.inboxd.mail.recurrence.EventTime;
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.Locale;

/** What a person reads in the mail of a change. */
final class InvitationText {
    private static final DateTimeFormatter DAY = DateTimeFormatter.ofPattern("EEEE, d MMMM uuuu", Locale.ENGLISH);
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("HH:mm", Locale.ENGLISH);

    private InvitationText() {}

    /**
     * The subject and text of a mail about an event or a date.
     *
     * @param prefix what the mail does, such as {@code Invitation}
     */
    static InvitationMail.Text of(String prefix, EventContent content) {
        EventWords words = content.words();
        StringBuilder text =
                new StringBuilder(words.title()).append("\n\nWhen: ").append(when(content.time()));
        if (content.recurrence() != null) {
            text.append("\nThis is the first of several dates. The calendar in this mail has them all.");
        }
        if (words.location() != null) {
            text.append("\nWhere: ").append(words.location());
        }
        if (words.description() != null) {
            text.append("\n\n").append(words.description());
        }
        return new InvitationMail.Text(
                prefix + ": " + oneLine(words.title()), text.append('\n').toString());
    }

    private static String when(EventTime time) {
        LocalDateTime from = time.shownStart();
        LocalDateTime to = time.allDay() ? time.end() : time.shownEnd();
        boolean sameDay = from.truncatedTo(ChronoUnit.DAYS).equals(to.truncatedTo(ChronoUnit.DAYS));
        if (time.allDay()) {
            return sameDay ? DAY.format(from) : DAY.format(from) + " to " + DAY.format(to);
        }
        String end = sameDay ? TIME.format(to) : DAY.format(to) + " " + TIME.format(to);
        return DAY.format(from) + " " + TIME.format(from) + " to " + end + " ("
                + time.zone().getId() + ")";
    }

    /** A header field is one line, whatever a title holds. */
    private static String oneLine(String title) {
        StringBuilder line = new StringBuilder();
        title.codePoints().forEach(point -> {
            boolean breaks = Character.isISOControl(point)
                    || point == 0x2028
                    || point == 0x2029
                    || (point >= Character.MIN_SURROGATE && point <= Character.MAX_SURROGATE);
            line.appendCodePoint(breaks ? ' ' : point);
        });
        return line.toString().strip();
    }
}
