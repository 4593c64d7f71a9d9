package dev.inboxd.mail.message;

import dev.inboxd.mail.charset.Charsets;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** One header as raw bytes, split into fields (RFC 5322 §2.2); values are decoded on demand. */
final class HeaderBlock {
    static final int MAX_FIELDS = 1_000;
    static final int MAX_BYTES = 100 * 1024;

    private final byte[] bytes;
    /** Name start, name end, value start, value end of each field. */
    private final int[] spans;
    /** The header as it came, when this one is read in another charset; else null. */
    private final @Nullable HeaderBlock original;

    private final @Nullable String label;

    private HeaderBlock(byte[] bytes, int[] spans, @Nullable HeaderBlock original, @Nullable String label) {
        this.bytes = bytes;
        this.spans = spans;
        this.original = original;
        this.label = label;
    }

    /**
     * Reads the header at the start of an entity and leaves the input at its body. Fields beyond the limits are
     * skipped.
     */
    static HeaderBlock read(MimeInput input, Set<Defect> defects) throws IOException {
        return new Reader(input, defects).read();
    }

    /**
     * This header with the values that are not UTF-8 (RFC 6532) read in another charset: unencoded octets name none,
     * and the sender writes the text in that one.
     *
     * @param charset its label; null or one that says nothing leaves the header as it is
     */
    HeaderBlock readIn(@Nullable String charset) {
        boolean isAscii = true;
        for (byte octet : bytes) {
            isAscii &= octet >= 0;
        }
        if (isAscii || charset == null) {
            return this;
        }
        var all = new ByteArrayOutputStream(bytes.length + 64);
        int[] moved = spans.clone();
        int copied = 0;
        for (int i = 0; i < size(); i++) {
            int start = valueStart(i);
            int end = valueEnd(i);
            all.write(bytes, copied, start - copied);
            moved[4 * i] += all.size() - start;
            moved[4 * i + 1] += all.size() - start;
            moved[4 * i + 2] = all.size();
            byte[] value = Charsets.toUtf8(Arrays.copyOfRange(bytes, start, end), charset, is(i, "subject"));
            all.writeBytes(value);
            moved[4 * i + 3] = all.size();
            copied = end;
        }
        all.write(bytes, copied, bytes.length - copied);
        return new HeaderBlock(all.toByteArray(), moved, this, charset);
    }

    int size() {
        return spans.length / 4;
    }

    /** Octets up to the empty line. */
    int length() {
        return bytes.length;
    }

    /** The first field of this name, given in lower case, or -1. */
    int first(String name) {
        for (int i = 0; i < size(); i++) {
            if (is(i, name)) {
                return i;
            }
        }
        return -1;
    }

    /** Start of the field's value, behind the colon. */
    int valueStart(int field) {
        return spans[4 * field + 2];
    }

    /** End of the field's value, before its last line break. */
    int valueEnd(int field) {
        return spans[4 * field + 3];
    }

    String name(int field) {
        return latin1(spans[4 * field], spans[4 * field + 1]);
    }

    int nameLength(int field) {
        return spans[4 * field + 1] - spans[4 * field];
    }

    /** True when the field has this name, given in lower case. */
    boolean is(int field, String name) {
        int start = spans[4 * field];
        if (nameLength(field) != name.length()) {
            return false;
        }
        for (int i = 0; i < name.length(); i++) {
            int c = bytes[start + i];
            if (name.charAt(i) != (c >= 'A' && c <= 'Z' ? c + 32 : c)) {
                return false;
            }
        }
        return true;
    }

    /** The unfolded value as readable text, with encoded words decoded. */
    String value(int field, Set<Defect> defects) {
        return HeaderText.decode(bytes, spans[4 * field + 2], spans[4 * field + 3], defects);
    }

    /** The unfolded value as readable text, with encoded words left encoded. */
    String text(int field) {
        return HeaderText.unfold(bytes, spans[4 * field + 2], spans[4 * field + 3]);
    }

    /** The value with one character per raw byte, folded or not: for structured values, such as parameters. */
    String raw(int field) {
        return latin1(spans[4 * field + 2], spans[4 * field + 3]);
    }

    /** The value as it came, one character per raw byte, folded or not. */
    String octets(int field) {
        return original == null ? raw(field) : original.octets(field);
    }

    /** The charset in which unencoded octets are read when they are not UTF-8; null for the usual one. */
    @Nullable
    String charset() {
        return label;
    }

    private String latin1(int from, int to) {
        return new String(bytes, from, to - from, StandardCharsets.ISO_8859_1);
    }

    private static final class Reader {
        private final MimeInput input;
        private final Set<Defect> defects;
        private int[] spans = new int[4 * 24];
        private int used;
        /** Offset of the current line in the input's window. */
        private int line;

        Reader(MimeInput input, Set<Defect> defects) {
            this.input = input;
            this.defects = defects;
        }

        HeaderBlock read() throws IOException {
            while (true) {
                int end = lineEnd();
                if (isBlank(end)) {
                    return finish(line, end);
                }
                if (end > MAX_BYTES || used == 4 * MAX_FIELDS) {
                    return truncate(end);
                }
                if (!isContinuation() && !startsField(end) && !isMailboxSeparator(end)) {
                    defects.add(Defect.MALFORMED_HEADER);
                    return finish(line, line);
                }
                if (isContinuation()) {
                    spans[used - 1] = withoutLineBreak(end);
                }
                line = end;
            }
        }

        /**
         * Offset behind the current line's line feed, or the end of the entity; an excessively long line ends early.
         */
        private int lineEnd() throws IOException {
            int from = line;
            while (true) {
                int lineFeed = input.lineFeed(from);
                if (lineFeed >= 0) {
                    return lineFeed + 1;
                }
                from = input.window();
                if (from > MAX_BYTES || !input.widen()) {
                    return from;
                }
            }
        }

        private boolean isBlank(int end) {
            return withoutLineBreak(end) == line;
        }

        private int withoutLineBreak(int end) {
            int trimmed = end;
            if (trimmed > line && input.at(trimmed - 1) == '\n') {
                trimmed--;
            }
            if (trimmed > line && input.at(trimmed - 1) == '\r') {
                trimmed--;
            }
            return trimmed;
        }

        private boolean isContinuation() {
            return used > 0 && (input.at(line) == ' ' || input.at(line) == '\t');
        }

        /** Adds a field if the line is {@code name:value}, also with a space before the colon (RFC 5322 §4.5). */
        private boolean startsField(int end) {
            int nameEnd = line;
            while (nameEnd < end && input.at(nameEnd) > ' ' && input.at(nameEnd) < 0x7F && input.at(nameEnd) != ':') {
                nameEnd++;
            }
            int colon = nameEnd;
            while (colon < end && (input.at(colon) == ' ' || input.at(colon) == '\t')) {
                colon++;
            }
            if (nameEnd == line || colon == end || input.at(colon) != ':') {
                return false;
            }
            if (used == spans.length) {
                spans = Arrays.copyOf(spans, 2 * used);
            }
            spans[used++] = line;
            spans[used++] = nameEnd;
            spans[used++] = colon + 1;
            spans[used++] = withoutLineBreak(end);
            return true;
        }

        /** The "From " line of mailbox files (RFC 4155), before all fields. */
        private boolean isMailboxSeparator(int end) {
            int start = line < end && input.at(line) == '>' ? line + 1 : line;
            return used == 0
                    && end - start > 5
                    && input.at(start) == 'F'
                    && input.at(start + 1) == 'r'
                    && input.at(start + 2) == 'o'
                    && input.at(start + 3) == 'm'
                    && input.at(start + 4) == ' ';
        }

        private HeaderBlock finish(int length, int consumed) {
            var block = new HeaderBlock(input.copy(length), Arrays.copyOf(spans, used), null, null);
            input.consume(consumed);
            return block;
        }

        /**
         * Keeps the fields within the limit, cuts the last one there unless a reader needs it, and goes on with those
         * that a reader needs.
         */
        private HeaderBlock truncate(int end) throws IOException {
            boolean tooMany = used == 4 * MAX_FIELDS;
            defects.add(tooMany ? Defect.TOO_MANY_HEADERS : Defect.HEADER_TOO_LARGE);
            boolean continues = isContinuation();
            boolean present = continues || (!tooMany && startsField(end));
            int start = present ? spans[used - 4] : line;
            if (present && HeaderRest.isNeeded(name(used - 4))) {
                used -= 4;
                return readRemainder(input.copy(start), start);
            }
            int cut = tooMany ? line : Math.min(end, MAX_BYTES);
            if (present && cut > line) {
                spans[used - 1] = Math.max(spans[used - 2], cut);
            }
            return readRemainder(input.copy(Math.max(cut, used > 0 ? spans[used - 1] : 0)), line);
        }

        private String name(int span) {
            byte[] octets = input.copy(spans[span + 1]);
            return new String(octets, spans[span], octets.length - spans[span], StandardCharsets.US_ASCII);
        }

        private HeaderBlock readRemainder(byte[] start, int consumed) throws IOException {
            input.consume(consumed);
            var remainder = new HeaderRest(input, start, Arrays.copyOf(spans, used));
            remainder.read();
            return new HeaderBlock(remainder.octets(), remainder.spans(), null, null);
        }
    }
}
