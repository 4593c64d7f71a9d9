package dev.inboxd.mail.html;

/** What becomes of line breaks and blanks of a text (CSS Text 3 §3). */
public enum WhiteSpace {
    /** All are spaces. */
    COLLAPSED,
    /** Line breaks stay. */
    LINES,
    /** All stay as they are written. */
    PRESERVED;

    static WhiteSpace of(String value, WhiteSpace around) {
        return switch (value) {
            case "normal", "nowrap", "collapse", "initial" -> COLLAPSED;
            case "pre-line", "preserve-breaks" -> LINES;
            case "pre", "pre-wrap", "break-spaces", "preserve" -> PRESERVED;
            default -> around;
        };
    }
}
