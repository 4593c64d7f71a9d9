package dev.inboxd.mail.smtp;

/**
 * An enhanced mail system status code, RFC 3463 §2.
 *
 * @param kind the class: 2 success, 4 persistent transient failure, 5 permanent failure
 * @param subject 0 to 999: 1 addressing, 2 mailbox, 3 system, 4 network, 5 protocol, 6 content, 7 policy
 * @param detail the condition, 0 to 999
 */
public record EnhancedStatus(int kind, int subject, int detail) {
    /** Refuses numbers outside of RFC 3463 §2. */
    public EnhancedStatus {
        boolean kindKnown = kind == 2 || kind == 4 || kind == 5;
        if (!kindKnown || subject < 0 || subject > 999 || detail < 0 || detail > 999) {
            throw new IllegalArgumentException("Not an enhanced status code: " + kind + "." + subject + "." + detail);
        }
    }

    /**
     * Parses the dotted form, as in {@code 5.1.1}.
     *
     * @throws IllegalArgumentException when the text is anything else
     */
    public static EnhancedStatus parse(String dotted) {
        int first = dotted.indexOf('.');
        int second = dotted.indexOf('.', first + 1);
        if (first < 1 || second < 0) {
            throw new IllegalArgumentException("Not an enhanced status code");
        }
        return new EnhancedStatus(
                number(dotted, 0, first),
                number(dotted, first + 1, second),
                number(dotted, second + 1, dotted.length()));
    }

    private static int number(String text, int from, int to) {
        if (to - from < 1 || to - from > 3) {
            throw new IllegalArgumentException("Not an enhanced status code");
        }
        int value = 0;
        for (int i = from; i < to; i++) {
            char digit = text.charAt(i);
            if (digit < '0' || digit > '9') {
                throw new IllegalArgumentException("Not an enhanced status code");
            }
            value = value * 10 + (digit - '0');
        }
        return value;
    }

    /** The dotted form. */
    @Override
    public String toString() {
        return kind + "." + subject + "." + detail;
    }
}
