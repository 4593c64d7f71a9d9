package dev.inboxd.mail.report;

import java.util.List;
import java.util.Locale;
import java.util.Set;

/** The copy of the original message at the end of a notice in plain text. */
final class QuotedOriginal {
    /** Fields of which each header has at least one, and a notice's text has none. */
    private static final Set<String> TRACE =
            Set.of("received", "return-path", "message-id", "mime-version", "content-type");

    private static final Set<String> USUAL = Set.of(
            "from",
            "to",
            "cc",
            "subject",
            "date",
            "sender",
            "reply-to",
            "content-transfer-encoding",
            "x-mailer",
            "user-agent",
            "dkim-signature",
            "delivered-to",
            "references");
    private static final int LOOK_AHEAD = 6;
    private static final int ENOUGH = 3;
    private static final int MAX_HEADER = 64 * 1024;
    private static final int MAX_RECIPIENTS = 100;
    private static final int LONGEST_DIVIDER = 120;

    private QuotedOriginal() {}

    /** Start of the copy, or of its divider; the size of the text when there is none. */
    static int start(List<String> lines, String text) {
        int offset = 0;
        for (int i = 0; i < lines.size(); i++) {
            // A notice begins with a text of its own.
            if (i > 0 && (isDivider(lines.get(i)) || isHeader(lines, i))) {
                return Math.min(offset, text.length());
            }
            offset += lines.get(i).length() + 1;
        }
        return text.length();
    }

    /**
     * Whether the line is like {@code ------ This is a copy of the message. ------}, or ends as if something followed.
     */
    private static boolean isDivider(String line) {
        String words = NoticePhrases.folded(line).strip();
        if (words.isEmpty() || words.length() > LONGEST_DIVIDER) {
            return false;
        }
        boolean shape = words.startsWith("--")
                || words.startsWith("==")
                || words.startsWith("__")
                || words.endsWith("--")
                || words.endsWith(":")
                || words.endsWith("follow.")
                || words.endsWith("follows.")
                || words.endsWith("follow")
                || words.endsWith("follows");
        return shape && NoticePhrases.has("quote", words);
    }

    private static boolean isHeader(List<String> lines, int from) {
        if (!TRACE.contains(name(lines.get(from))) && !USUAL.contains(name(lines.get(from)))) {
            return false;
        }
        int usual = 0;
        int trace = 0;
        for (int i = from; i < lines.size() && i < from + LOOK_AHEAD; i++) {
            String name = name(lines.get(i));
            usual += USUAL.contains(name) ? 1 : 0;
            trace += TRACE.contains(name) ? 1 : 0;
        }
        return trace > 0 && usual + trace >= ENOUGH;
    }

    private static String name(String line) {
        int colon = line.indexOf(':');
        return colon < 0 || colon > 30 ? "" : line.substring(0, colon).toLowerCase(Locale.ROOT);
    }

    /** Parses the header of a copy, which may be incomplete or in disorder. */
    static ReportedMessage original(String copy) {
        ReportFields header = ReportFields.merged(head(copy));
        String id = header.first("message-id");
        int open = id == null ? -1 : id.indexOf('<');
        int close = open < 0 || id == null ? -1 : id.indexOf('>', open);
        String path = header.first("return-path");
        List<String> paths = path == null ? List.of() : Mentions.addresses(path, 1);
        List<String> reporter = header.all("x-hmxmroriginalrecipient");
        List<String> to = reporter.isEmpty() ? header.all("to", "cc") : reporter;
        return new ReportedMessage(
                close < 0 || id == null ? null : id.substring(open, close + 1),
                paths.isEmpty() ? null : paths.getFirst(),
                Mentions.addresses(String.join(", ", to), MAX_RECIPIENTS),
                !reporter.isEmpty());
    }

    /** The text up to the empty line behind the header; empty lines before it do not count. */
    private static String head(String copy) {
        String text = copy.substring(0, Math.min(copy.length(), MAX_HEADER));
        int at = 0;
        int fields = 0;
        while (at < text.length()) {
            int end = text.indexOf('\n', at);
            end = end < 0 ? text.length() : end;
            String line = text.substring(at, end).strip();
            if (line.isEmpty() && fields >= ENOUGH) {
                return text.substring(0, at);
            }
            fields += line.indexOf(':') > 0 ? 1 : 0;
            at = end + 1;
        }
        return text;
    }
}
