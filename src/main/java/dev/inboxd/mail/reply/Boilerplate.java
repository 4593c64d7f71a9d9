package dev.inboxd.mail.reply;

import java.util.List;

/** Finds texts that devices, organizations and mailing lists add below a message. */
final class Boilerplate {
    private static final int MAX_DEVICE_LINE = 120;

    private Boilerplate() {}

    /** "Sent from my iPhone". */
    static boolean isDevice(TextLine line) {
        return line.text().length() <= MAX_DEVICE_LINE && !line.isEmpty() && Phrases.isDevice(line.plain());
    }

    /**
     * Finds the first notice, such as "This email and any attachments are confidential".
     *
     * @param from the first line that may be one
     * @return {@code to} when there is none
     */
    static int firstNotice(List<TextLine> lines, LineKind[] marks, int from, int to) {
        for (int i = from; i < to; i++) {
            boolean isFirst = marks[i] == LineKind.TEXT && (i == 0 || marks[i - 1] != LineKind.TEXT);
            if (isFirst && isNotice(lines.get(i))) {
                return i;
            }
        }
        return to;
    }

    static boolean isNotice(TextLine line) {
        String plain = line.plain();
        return plain.equals("unsubscribe") || Phrases.NOTICES.longest(plain, 0) != null;
    }
}
