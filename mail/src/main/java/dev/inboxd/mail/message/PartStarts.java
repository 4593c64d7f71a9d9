package dev.inboxd.mail.message;

import java.io.ByteArrayInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * Reads the beginnings of parts that are text, and those of the messages within them, whatever their type and name. The
 * message is read once, as a stream; what is read of messages within messages is bounded in depth and in octets.
 */
public final class PartStarts {
    /** Levels of messages within the message. */
    static final int MAX_DEPTH = 8;

    /** Octets of messages within messages, of all levels together. */
    static final int MAX_WITHIN = 16 * 1024 * 1024;

    private static final Set<String> MESSAGES = Set.of("message/rfc822", "message/global", "message/news");
    private static final Set<String> EXTENSIONS = Set.of(".eml", ".mht", ".mhtml", ".emlx", ".mbox");
    /** Fields of which a message has two in its first octets. */
    private static final List<String> FIELDS = List.of(
            "from", "to", "subject", "date", "received", "mime-version", "content-type", "message-id", "return-path");

    private static final int FEWEST_FIELDS = 2;

    private final Visitor visitor;
    private final Set<Defect> defects = EnumSet.noneOf(Defect.class);
    private int octetsWithin = MAX_WITHIN;
    private int left;

    private PartStarts(Visitor visitor) {
        this.visitor = visitor;
    }

    /** Is told what is read, in the order of the message. */
    public interface Visitor {
        /** A part that is text; of a message within the message too, once as it stands. */
        void part(PartStart part);

        /** The header of a message within the message. */
        void header(List<HeaderField> fields);

        /** The file name of a part of a message within the message, whatever its content. */
        void filename(String name);
    }

    /**
     * Reads the beginnings.
     *
     * @param raw the octets that were parsed; not closed
     * @param most octets of each part, by its {@link AttachmentPart#index}; of a message as many again of what is in it
     * @throws UncheckedIOException when the stream cannot be read
     */
    public static void read(InputStream raw, Map<Integer, Integer> most, Visitor visitor) {
        try {
            var starts = new PartStarts(visitor);
            var walk = new EntityWalk(raw, starts.defects);
            int visited = 0;
            while (visited < most.size() && walk.next()) {
                Integer allowance = most.get(walk.index());
                if (allowance != null) {
                    visited++;
                    starts.left = allowance;
                    starts.read(walk.leaf(), walk.content(), 0);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void read(Entity leaf, InputStream content, int depth) throws IOException {
        byte[] start = content.readNBytes(MediaTypeCheck.START);
        if (!TextStart.isText(start, leaf.mediaType(), leaf.filename())) {
            return;
        }
        byte[] following = content.readNBytes(Math.max(0, left - start.length));
        byte[] octets = Arrays.copyOf(start, start.length + following.length);
        System.arraycopy(following, 0, octets, start.length, following.length);
        var name = leaf.filename();
        int shown = Math.min(left, octets.length);
        visitor.part(new PartStart(
                name == null ? "" : name, leaf.mediaType(), leaf.charset(), Arrays.copyOf(octets, shown)));
        // What is in a message has an allowance of its own, the same one on all levels.
        left -= depth > 0 ? shown : 0;
        if (depth < MAX_DEPTH && left > 0 && isMessage(leaf, start)) {
            readWithin(new SequenceInputStream(new ByteArrayInputStream(octets), content), depth + 1);
        }
    }

    private void readWithin(InputStream message, int depth) throws IOException {
        var walk = new EntityWalk(new Counted(message), defects);
        visitor.header(fields(walk.header()));
        while (walk.next()) {
            var name = walk.leaf().filename();
            if (name != null) {
                visitor.filename(name);
            }
            read(walk.leaf(), walk.content(), depth);
        }
    }

    private List<HeaderField> fields(HeaderBlock header) {
        var fields = new ArrayList<HeaderField>(header.size());
        int octets = 0;
        for (int i = 0; i < header.size() && octets < left; i++) {
            var value = header.value(i, defects);
            octets += value.length();
            fields.add(new HeaderField(header.name(i), value));
        }
        left = Math.max(0, left - octets);
        return fields;
    }

    /** By its type, by its name, or because it begins with fields of a message. */
    private static boolean isMessage(Entity leaf, byte[] start) {
        var name = leaf.filename() == null ? "" : leaf.filename().toLowerCase(Locale.ROOT);
        return MESSAGES.contains(leaf.mediaType())
                || EXTENSIONS.stream().anyMatch(name::endsWith)
                || beginsWithFields(start);
    }

    private static boolean beginsWithFields(byte[] start) {
        int matches = 0;
        int line = 0;
        for (int i = 0; i < start.length; i++) {
            if (start[i] == '\n') {
                line = i + 1;
            } else if (start[i] == ':' && line >= 0) {
                var name = new String(start, line, i - line, java.nio.charset.StandardCharsets.ISO_8859_1);
                matches += FIELDS.contains(name.toLowerCase(Locale.ROOT).strip()) ? 1 : 0;
                line = -1;
            }
        }
        return matches >= FEWEST_FIELDS;
    }

    /** Ends when the octets of all messages within messages are used up. */
    private final class Counted extends FilterInputStream {
        Counted(InputStream in) {
            super(in);
        }

        @Override
        public int read() throws IOException {
            var octet = new byte[1];
            return read(octet, 0, 1) < 0 ? -1 : octet[0] & 0xFF;
        }

        @Override
        public int read(byte[] into, int offset, int length) throws IOException {
            int most = Math.min(length, octetsWithin);
            int read = most <= 0 ? -1 : super.read(into, offset, most);
            octetsWithin -= Math.max(0, read);
            return read;
        }
    }
}
