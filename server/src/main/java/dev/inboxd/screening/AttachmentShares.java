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
    /** Octets of all calendars together, most of which are not words. */
    static final int MOST_OF_CALENDARS = 1024 * 1024;

    private static final Set<String> CALENDARS = Set.of("text/calendar", "application/ics", "text/x-vcalendar");

    private AttachmentShares() {}

    /** The octets to read of each part that is text, by its number. */
    static Map<Integer, Integer> of(List<AttachmentPart> parts) {
        List<AttachmentPart> texts =
                parts.stream().filter(AttachmentPart::isText).toList();
        List<AttachmentPart> calendars =
                texts.stream().filter(AttachmentShares::isCalendar).toList();
        // A message is read as it stands and as what is in it, a label may be wrong, and a calendar may be none.
        int share = fair(texts, MOST / 2, MOST_OF_ONE);
        int ofCalendar = fair(calendars, MOST_OF_CALENDARS, MOST_OF_CALENDARS);
        Map<Integer, Integer> shares = new HashMap<>();
        texts.forEach(part -> shares.put(part.index(), isCalendar(part) ? Math.max(share, ofCalendar) : share));
        return shares;
    }

    /** So much of each that all together stay within a bound, those that are smaller whole. */
    private static int fair(List<AttachmentPart> parts, int all, int most) {
        int[] sizes = parts.stream()
                .mapToInt(part -> (int) Math.min(part.size(), most))
                .sorted()
                .toArray();
        int left = all;
        for (int i = 0; i < sizes.length; i++) {
            int fair = left / (sizes.length - i);
            if (sizes[i] > fair) {
                return fair;
            }
            left -= sizes[i];
        }
        return most;
    }

    private static boolean isCalendar(AttachmentPart part) {
        return isCalendar(part.mediaType(), part.filename() == null ? "" : part.filename());
    }

    /** Whether more is read of it than of other texts. */
    static boolean isCalendar(String mediaType, String filename) {
        String name = filename.toLowerCase(Locale.ROOT);
        return CALENDARS.contains(mediaType) || name.endsWith(".ics") || name.endsWith(".vcs");
    }
}
