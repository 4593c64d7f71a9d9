package dev.inboxd.mail.message;

import java.util.List;
import java.util.Locale;

/** Detects automatic messages, which other programs should not answer (RFC 3834 §2 and §5). */
public final class AutoResponse {
    private AutoResponse() {}

    /**
     * Whether the header marks the message as automatic. A mailing list is not automatic: it forwards mail of people,
     * and may be between them and an agent; so its fields, and the precedence that comes with them, do not count.
     *
     * @param fields of the message, unfolded
     */
    public static boolean isMarked(List<HeaderField> fields) {
        boolean marked = false;
        boolean bulk = false;
        boolean list = false;
        for (HeaderField field : fields) {
            String name = field.name();
            char first = name.isEmpty() ? ' ' : (char) (name.charAt(0) | 0x20);
            if (first == 'a' && name.equalsIgnoreCase("Auto-Submitted")) {
                marked |= !word(field.value()).equals("no"); // RFC 3834 §5.2
            } else if (first == 'p' && name.equalsIgnoreCase("Precedence")) {
                String precedence = word(field.value());
                marked |= precedence.equals("auto_reply");
                bulk |= precedence.equals("bulk") || precedence.equals("junk");
            } else if (first == 'l'
                    && (name.equalsIgnoreCase("List-Id")
                            || name.equalsIgnoreCase("List-Post")
                            || name.equalsIgnoreCase("List-Unsubscribe"))) {
                list = true;
            } else if (first == 'x') {
                marked |= isMark(name, field.value());
            }
        }
        return marked || (bulk && !list);
    }

    /** Fields that no standard defines and much software writes. */
    private static boolean isMark(String name, String value) {
        // Not X-Auto-Response-Suppress: Exchange writes it on mail of people, and asks others for no automatic answer.
        boolean answers = name.equalsIgnoreCase("X-Autoreply") || name.equalsIgnoreCase("X-Autorespond");
        return answers && !word(value).equals("no");
    }

    /** The first word, in lower case, without parameters and comments. */
    private static String word(String value) {
        String text = value.strip();
        int end = 0;
        while (end < text.length() && " \t;(".indexOf(text.charAt(end)) < 0) {
            end++;
        }
        return text.substring(0, end).toLowerCase(Locale.ROOT);
    }
}
