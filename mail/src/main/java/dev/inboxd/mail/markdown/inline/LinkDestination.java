package dev.inboxd.mail.markdown.inline;

/** The targets of links as they stand in Markdown (CommonMark 0.31 §6.3 and §6.5). */
final class LinkDestination {
    private static final int MOST_BRACKETS = 8;

    private LinkDestination() {}

    /** A target between the brackets behind a link's text. */
    static String bracketed(String target) {
        boolean balanced = isBalanced(target);
        StringBuilder written = new StringBuilder(target.length());
        for (int i = 0; i < target.length(); i++) {
            char c = target.charAt(i);
            boolean bracket = c == '(' || c == ')';
            if (c <= ' ' || c == '<' || c == '>' || c == '\\' || c == 0x7F || (bracket && !balanced)) {
                written.append('%')
                        .append(Character.toUpperCase(Character.forDigit(c >> 4, 16)))
                        .append(Character.toUpperCase(Character.forDigit(c & 15, 16)));
            } else if (c == '&' && Entities.isAt(target, i)) {
                written.append("\\&");
            } else {
                written.append(c);
            }
        }
        return written.toString();
    }

    private static boolean isBalanced(String target) {
        int open = 0;
        for (int i = 0; i < target.length(); i++) {
            open += target.charAt(i) == '(' ? 1 : target.charAt(i) == ')' ? -1 : 0;
            if (open < 0 || open > MOST_BRACKETS) {
                return false;
            }
        }
        return open == 0;
    }

    /** Whether a target can stand between {@code <} and {@code >}: nothing is escaped there. */
    static boolean isAutolink(String target) {
        int colon = target.indexOf(':');
        for (int i = 0; i < target.length(); i++) {
            char c = target.charAt(i);
            boolean entity = c == '&' && Entities.isAt(target, i);
            if (c <= ' ' || c == '<' || c == '>' || c == 0x7F || c == '|' || entity) {
                return false;
            }
        }
        return colon >= 2 && colon <= 32;
    }

    /** Whether a text is a target, but for its scheme and a final slash. */
    static boolean isSame(String text, String target) {
        return bare(text).equals(bare(target));
    }

    private static String bare(String target) {
        int start = 0;
        for (String scheme : new String[] {"https://", "http://", "mailto:", "tel:", "sms:"}) {
            if (target.regionMatches(true, 0, scheme, 0, scheme.length())) {
                start = scheme.length();
                break;
            }
        }
        return target.substring(start, target.length() - (target.endsWith("/") && target.length() > start ? 1 : 0));
    }
}
