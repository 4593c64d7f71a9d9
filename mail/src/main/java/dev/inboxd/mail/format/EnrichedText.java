package dev.inboxd.mail.format;

import java.util.Locale;

/** The words of text/enriched (RFC 1896) and text/richtext (RFC 1341 §7.1.3), without their commands. */
public final class EnrichedText {
    private final String text;
    /** The older format: line breaks are spaces, and commands stand for lines and for brackets. */
    private final boolean isRich;

    private final StringBuilder plain;
    /** Commands whose content is no text, such as param, that are open. */
    private int hidden;
    /** Open commands that keep line breaks. */
    private int unfilled;

    private EnrichedText(String text, boolean isRich) {
        this.text = text;
        this.isRich = isRich;
        this.plain = new StringBuilder(text.length());
    }

    /**
     * The text as it is shown.
     *
     * @param isRich whether it is text/richtext
     */
    public static String plain(String text, boolean isRich) {
        return new EnrichedText(text, isRich).read();
    }

    private String read() {
        int i = 0;
        while (i < text.length()) {
            char c = text.charAt(i);
            if (c == '<') {
                i = command(i);
            } else if (c == '\n') {
                i = lineBreaks(i);
            } else {
                add(c);
                i++;
            }
        }
        return plain.toString();
    }

    /** RFC 1896: two brackets are one; any other begins a command of at most 60 characters. */
    private int command(int start) {
        if (!isRich && text.startsWith("<<", start)) {
            add('<');
            return start + 2;
        }
        int end = text.indexOf('>', start, Math.min(text.length(), start + 64));
        if (end < 0) {
            add('<');
            return start + 1;
        }
        String name = text.substring(start + 1, end).toLowerCase(Locale.ROOT);
        switch (name) {
            case "param", "comment" -> hidden++;
            case "/param", "/comment" -> hidden = Math.max(0, hidden - 1);
            case "nofill" -> unfilled++;
            case "/nofill" -> unfilled = Math.max(0, unfilled - 1);
            case "nl", "np", "paragraph", "/paragraph" -> add('\n');
            case "lt" -> add('<');
            default -> {
                // all others say how the text looks
            }
        }
        return end + 1;
    }

    /** RFC 1896: one line break is a space, and of several one is; in the older format each is a space. */
    private int lineBreaks(int start) {
        int end = start;
        while (end < text.length() && text.charAt(end) == '\n') {
            end++;
        }
        boolean atEnd = end == text.length();
        if (unfilled > 0 || atEnd) {
            text.substring(start, end).chars().forEach(c -> add((char) c));
        } else if (isRich || end == start + 1) {
            add(' ');
        } else {
            "\n".repeat(end - start - 1).chars().forEach(c -> add((char) c));
        }
        return end;
    }

    private void add(char c) {
        if (hidden == 0) {
            plain.append(c);
        }
    }
}
