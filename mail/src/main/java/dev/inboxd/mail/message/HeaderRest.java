package dev.inboxd.mail.message;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;
import java.util.Set;

/**
 * Reads the fields behind the limits of a header section, up to the body: those that a reader needs, within the first
 * MiB (ruling 139). Scanners, seals and long lists of recipients make such sections.
 */
final class HeaderRest {
    /** Octets of a header section that are looked at. */
    static final int MOST_OCTETS = 1024 * 1024;

    private static final int MOST_FIELDS = 2 * HeaderBlock.MAX_FIELDS;
    private static final int LONGEST_NAME = 40;
    private static final Set<String> NEEDED = Set.of(
            "from",
            "sender",
            "reply-to",
            "to",
            "cc",
            "subject",
            "date",
            "message-id",
            "in-reply-to",
            "references",
            "mime-version",
            "x-auto-response-suppress");

    private final MimeInput input;
    private final ByteArrayOutputStream retained = new ByteArrayOutputStream();
    private int[] spans;
    private int used;
    private int looked;

    /**
     * The rest of a section.
     *
     * @param input at the start of a line; what was read before is in {@code start}
     * @param spans of the fields in {@code start}, as {@link HeaderBlock} has them
     */
    HeaderRest(MimeInput input, byte[] start, int[] spans) {
        this.input = input;
        this.spans = spans.clone();
        used = spans.length;
        looked = start.length;
        retained.writeBytes(start);
    }

    /** Whether a reader needs the field of this name. */
    static boolean isNeeded(String name) {
        String lower = name.toLowerCase(Locale.ROOT);
        return NEEDED.contains(lower)
                || lower.startsWith("content-")
                || lower.startsWith("list-")
                || AutoResponse.isRead(lower);
    }

    /** Reads to the body, and leaves the input there. */
    void read() throws IOException {
        boolean isKept = false;
        boolean isFirst = true;
        for (int end = lineEnd(); end > lineBreak(end); end = lineEnd()) {
            boolean isFolded = !isFirst && (input.at(0) == ' ' || input.at(0) == '\t');
            isKept = looked < MOST_OCTETS && (isFolded ? isKept : beginsNeeded(end));
            isFirst = false;
            boolean isWhole = take(end, isKept);
            while (!isWhole && (input.window() > 0 || input.widen())) {
                int lineFeed = input.lineFeed(0);
                isKept &= looked < MOST_OCTETS;
                isWhole = take(lineFeed < 0 ? input.window() : lineFeed + 1, isKept);
            }
        }
        input.consume(lineEnd());
    }

    byte[] octets() {
        return retained.toByteArray();
    }

    int[] spans() {
        return Arrays.copyOf(spans, used);
    }

    /** The end of the line in the window; an excessively long line ends early, and the last one at the entity's end. */
    private int lineEnd() throws IOException {
        int from = 0;
        while (true) {
            int lineFeed = input.lineFeed(from);
            if (lineFeed >= 0) {
                return lineFeed + 1;
            }
            from = input.window();
            if (from > HeaderBlock.MAX_BYTES || !input.widen()) {
                return from;
            }
        }
    }

    /** The octets of the line break at the end of a line. */
    private int lineBreak(int end) {
        int lineFeed = end > 0 && input.at(end - 1) == '\n' ? 1 : 0;
        return lineFeed + (end > lineFeed && input.at(end - lineFeed - 1) == '\r' ? 1 : 0);
    }

    /** Whether a needed field begins in the window; then it is added, without its value yet. */
    private boolean beginsNeeded(int end) {
        int name = 0;
        while (name < end
                && name < LONGEST_NAME
                && input.at(name) > ' '
                && input.at(name) < 0x7F
                && input.at(name) != ':') {
            name++;
        }
        int colon = name;
        while (colon < end && (input.at(colon) == ' ' || input.at(colon) == '\t')) {
            colon++;
        }
        boolean isNeeded = name > 0
                && colon < end
                && input.at(colon) == ':'
                && used < 4 * MOST_FIELDS
                && isNeeded(new String(input.copy(name), StandardCharsets.US_ASCII));
        if (isNeeded) {
            spans = used == spans.length ? Arrays.copyOf(spans, used + 64) : spans;
            int start = retained.size();
            spans[used++] = start;
            spans[used++] = start + name;
            spans[used++] = start + colon + 1;
            spans[used++] = start + colon + 1;
        }
        return isNeeded;
    }

    /** Consumes octets of a line, and keeps them; true when the line ends with them. */
    private boolean take(int length, boolean isKept) {
        if (isKept) {
            int lineBreak = lineBreak(length);
            retained.writeBytes(input.copy(length));
            spans[used - 1] = Math.max(spans[used - 2], retained.size() - lineBreak);
        }
        boolean isWhole = length > 0 && input.at(length - 1) == '\n';
        looked += length;
        input.consume(length);
        return isWhole;
    }
}
