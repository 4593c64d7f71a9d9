package dev.inboxd.mail.calendar;

import java.nio.charset.StandardCharsets;
import java.util.Locale;

/**
 * What a calendar or a card says, as programs show it: lines unfolded (RFC 5545 §3.1, RFC 6350 §3.2), escapes and
 * encodings undone, of every property and every parameter, without the limits of what is taken as an event.
 *
 * @param text the texts of its properties, a paragraph each
 * @param html those that are formatted, such as X-ALT-DESC; empty when there are none
 */
public record CalendarWords(String text, String html) {
    /** Whether a content begins like a calendar or a card. */
    public static boolean begin(byte[] octets) {
        int at = 0;
        while (at < octets.length && (octets[at] <= ' ')) {
            at++; // line ends, and the octets of a byte order mark, which are negative
        }
        return octets.length - at > 7
                && new String(octets, at, 7, StandardCharsets.ISO_8859_1).equalsIgnoreCase("BEGIN:V");
    }

    /**
     * Reads the words in time in proportion to the octets. Never fails.
     *
     * @param octets the content, or its beginning
     */
    public static CalendarWords of(byte[] octets) {
        StringBuilder text = new StringBuilder();
        StringBuilder html = new StringBuilder();
        String unfolded = new String(CalendarText.joined(octets), StandardCharsets.UTF_8);
        int from = 0;
        while (from < unfolded.length()) {
            int end = unfolded.indexOf('\n', from);
            end = end < 0 ? unfolded.length() : end;
            line(unfolded.substring(from, end), text, html);
            from = end + 1;
        }
        return new CalendarWords(text.toString(), html.toString());
    }

    private static void line(String line, StringBuilder text, StringBuilder html) {
        int colon = end(line);
        String head = line.substring(0, colon);
        int semicolon = head.indexOf(';');
        String name = semicolon < 0 ? head : head.substring(0, semicolon);
        String parameters = semicolon < 0 ? "" : head.substring(semicolon + 1);
        String value = name.isEmpty() ? line : line.substring(colon + 1);
        boolean isQuotedPrintable = parameters.toUpperCase(Locale.ROOT).contains("QUOTED-PRINTABLE");
        String words = TextValue.read(isQuotedPrintable ? CalendarText.quotedPrintable(value) : value);
        parameters(parameters, text, html);
        if (!isName(name)) { // but words before a colon
            paragraph(TextValue.clean(name), text);
        }
        paragraph(words, text);
        if (words.indexOf('<') >= 0) {
            paragraph(words, html);
        }
        address(words, text, html);
    }

    /** Names and other texts of parameters, and what a URI of an alternative text says (RFC 6868, RFC 2397). */
    private static void parameters(String parameters, StringBuilder text, StringBuilder html) {
        int from = 0;
        boolean quoted = false;
        for (int i = 0; i <= parameters.length(); i++) {
            char c = i == parameters.length() ? ';' : parameters.charAt(i);
            quoted ^= c == '"';
            if (i < parameters.length() && (c != ';' || quoted)) {
                continue;
            }
            String parameter = parameters.substring(from, i);
            String value = parameter
                    .substring(parameter.indexOf('=') + 1)
                    .replace("^n", "\n")
                    .replace("^'", "'")
                    .replace("^^", "^")
                    .replace("\"", "");
            if (value.indexOf(' ') > 0 || value.indexOf('\n') > 0 || value.indexOf('_') > 0) {
                paragraph(TextValue.clean(value), text);
            }
            address(value, text, html);
            from = i + 1;
        }
    }

    /** What an address says when its escapes are undone, and what it holds itself. */
    private static void address(String value, StringBuilder text, StringBuilder html) {
        int percent = value.indexOf('%');
        boolean isData = value.regionMatches(true, 0, "data:", 0, 5);
        if (percent < 0 && !isData) {
            return;
        }
        String said = CalendarText.percent(value);
        paragraph(said, text);
        if (isData || said.indexOf('<') >= 0) {
            paragraph(said, html);
        }
    }

    /** RFC 5545 §3.1: letters, digits and hyphens; a group of vCard stands before a dot (RFC 6350 §3.3). */
    private static boolean isName(String name) {
        return name.chars().allMatch(c -> c < 0x80 && (Character.isLetterOrDigit(c) || c == '-' || c == '.'));
    }

    private static void paragraph(String words, StringBuilder to) {
        if (!words.isBlank()) {
            to.append(words).append("\n\n");
        }
    }

    /** The colon behind the name and the parameters: the first outside of quotes, else the first; 0 for none. */
    private static int end(String line) {
        boolean quoted = false;
        for (int i = 0; i < line.length(); i++) {
            char c = line.charAt(i);
            quoted ^= c == '"';
            if (c == ':' && !quoted) {
                return i;
            }
        }
        int colon = line.indexOf(':');
        return Math.max(colon, 0);
    }
}
