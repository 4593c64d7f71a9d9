package dev.inboxd.screening;

import dev.inboxd.mail.message.AttachmentPart;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * How much of each text attachment is read: so much of each that all together stay within a bound. Small ones are read
 * whole, so that no order is behind as many large ones as its author likes.
 */
final class AttachmentShares {
    /** Octets of all together; what is read twice counts twice. */
    static final int MOST = 640 * 1024;

    private static final int MOST_OF_ONE = 64 * 1024;
    /** Of a calendar, most of which are not words. */
    private static final int MOST_OF_CALENDAR = 1024 * 1024;

    private static final Set<String> CALENDARS = Set.of("text/calendar", "application/ics", "text/x-vcalendar");

    private AttachmentShares() {}

    /** The octets to read of each part that is text, by its number. */
    static Map<Integer, Integer> of(List<AttachmentPart> parts) {
        List<AttachmentPart> texts =
                parts.stream().filter(AttachmentPart::isText).toList();
        int[] wanted = texts.stream()
                .mapToInt(part -> (int) Math.min(part.size(), MOST_OF_ONE))
                .sorted()
                .toArray();
        int each = MOST_OF_ONE;
        int left = MOST / 2; // a message is read as it stands and as what is in it, a label may be wrong
        for (int i = 0; i < wanted.length; i++) {
            int fair = left / (wanted.length - i);
            if (wanted[i] > fair) {
                each = fair;
                break;
            }
            left -= wanted[i];
        }
        Map<Integer, Integer> shares = new HashMap<>();
        for (AttachmentPart part : texts) {
            shares.put(part.index(), isCalendar(part) ? MOST_OF_CALENDAR : each);
        }
        return shares;
    }

    private static boolean isCalendar(AttachmentPart part) {
        String name = part.filename() == null ? "" : part.filename().toLowerCase(Locale.ROOT);
        return CALENDARS.contains(part.mediaType()) || name.endsWith(".ics") || name.endsWith(".vcs");
    }
}
