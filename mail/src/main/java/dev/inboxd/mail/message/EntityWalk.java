package dev.inboxd.mail.message;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Visits the leaves of a message's tree in order (RFC 2046 §5.1), each open for reading once. An embedded message is a
 * leaf. The same bytes always give the same leaves under the same numbers; the parser and the part reader rely on it.
 */
final class EntityWalk {
    static final int MAX_DEPTH = 100;
    static final int MAX_ENTITIES = 1_000;
    /** Maximum number of octets of a multipart without any delimiter that are stored, to be shown as text. */
    private static final int MAX_PREAMBLE = 1024 * 1024;
    /** How far the first delimiter is searched in a multipart without a boundary parameter. */
    private static final int GUESS_WINDOW = 2 * 1024;

    private final MimeInput input;
    private final Set<Defect> defects;
    private final HeaderBlock header;
    private final List<Multipart> open = new ArrayList<>(4);
    private Entity entity;
    private int entities = 1;
    private int index = -1;
    private @Nullable InputStream undivided;

    EntityWalk(InputStream raw, Set<Defect> defects) throws IOException {
        this.defects = defects;
        input = new MimeInput(raw);
        header = HeaderBlock.read(input, defects);
        entity = Entity.of(header, "text/plain", defects);
    }

    /** The message's own header. */
    HeaderBlock header() {
        return header;
    }

    /** The current leaf. */
    Entity leaf() {
        return entity;
    }

    /** Number of the current leaf, from 0, in the order of the message. */
    int index() {
        return index;
    }

    /** The innermost multipart around the current leaf, null for a message of one part. */
    @Nullable
    Multipart parent() {
        return open.isEmpty() ? null : open.getLast();
    }

    /** The leaf's content, decoded. */
    InputStream content() {
        return undivided != null ? undivided : entity.decode(input, defects);
    }

    /** Goes to the next leaf; false behind the last, or when a limit ends the walk. */
    boolean next() throws IOException {
        undivided = null;
        boolean hasLeaf = (index < 0 && open.isEmpty()) || nextPart();
        while (hasLeaf && entity.isMultipart() && enter()) {
            hasLeaf = nextPart();
        }
        if (input.foundUnclosed()) {
            defects.add(Defect.UNCLOSED_MULTIPART);
        }
        index += hasLeaf ? 1 : 0;
        return hasLeaf;
    }

    private boolean nextPart() throws IOException {
        if (!input.nextEntity()) {
            return false;
        }
        if (++entities > MAX_ENTITIES) {
            defects.add(Defect.TOO_MANY_PARTS);
            return false;
        }
        open.subList(input.depth(), open.size()).clear();
        var parent = open.getLast();
        parent.nextBranch();
        entity = Entity.of(HeaderBlock.read(input, defects), parent.defaultType(), defects);
        return true;
    }

    /** Enters the current entity when it is a multipart; false when it has to be a leaf. */
    private boolean enter() throws IOException {
        if (open.size() == MAX_DEPTH) {
            defects.add(Defect.NESTED_TOO_DEEP);
            return false;
        }
        if (entity.encoding().equals("base64") || entity.encoding().equals("quoted-printable")) {
            defects.add(Defect.ENCODED_MULTIPART);
        }
        var boundary = entity.boundary();
        if (boundary == null) {
            defects.add(Defect.MISSING_BOUNDARY);
            boundary = guessBoundary();
        }
        if (boundary == null) {
            entity = Entity.plainText();
            return false;
        }
        if (input.hasOpen(boundary)) {
            defects.add(Defect.DUPLICATE_BOUNDARY);
        }
        input.open(boundary);
        var preamble = preamble();
        if (input.endedByInnermost()) {
            open.add(new Multipart(entity, parent()));
            return true;
        }
        // There is no delimiter: the supposed preamble is the only content.
        defects.add(Defect.MISSING_BOUNDARY);
        input.forget();
        entity = Entity.plainText();
        undivided = new ByteArrayInputStream(preamble);
        return false;
    }

    private byte[] preamble() throws IOException {
        var preamble = new ByteArrayOutputStream(0);
        var chunk = new byte[1024];
        for (int n = input.read(chunk); n >= 0; n = input.read(chunk)) {
            if (preamble.size() < MAX_PREAMBLE) {
                preamble.write(chunk, 0, n);
            }
        }
        return preamble.toByteArray();
    }

    /** The first line that starts with two dashes and is followed by a content field. */
    private @Nullable String guessBoundary() throws IOException {
        boolean more = true;
        while (more && input.window() < GUESS_WINDOW) {
            more = input.widen();
        }
        int size = Math.min(input.window(), GUESS_WINDOW);
        var lines = new String(input.copy(size), StandardCharsets.ISO_8859_1).split("\n", -1);
        for (int i = 0; i + 1 < lines.length; i++) {
            boolean delimits = lines[i].startsWith("--")
                    && lines[i].stripTrailing().length() > 2
                    && lines[i + 1].regionMatches(true, 0, "Content-", 0, 8);
            if (delimits) {
                return lines[i].stripTrailing().substring(2);
            }
        }
        return null;
    }
}
