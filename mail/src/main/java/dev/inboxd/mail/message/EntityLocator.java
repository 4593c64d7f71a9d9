package dev.inboxd.mail.message;

import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * Finds the leaves of a message with octets beyond ASCII that may be encoded anew, and the entities that contain them.
 * Unlike {@link EntityWalk} it enters embedded messages, which must not be encoded as a whole (RFC 2046 §5.2.1).
 * Entities beyond the limits, and those that other programs may read differently, are neither entered nor returned.
 */
public final class EntityLocator {
    /** Defects after which the meaning of a header, or the start of its body, is uncertain. */
    private static final Set<Defect> DOUBTFUL = EnumSet.of(
            Defect.MALFORMED_HEADER,
            Defect.DUPLICATE_CONTENT_FIELD,
            Defect.DUPLICATE_PARAMETER,
            Defect.PARAMETER_TOO_LONG,
            Defect.TOO_MANY_HEADERS,
            Defect.HEADER_TOO_LARGE);
    /** Octets of the fields that may be added to a header, and their number. */
    private static final int ADDED = 200;

    private static final int ADDED_FIELDS = 3;
    /** RFC 2045 §6.2: the values that mean no encoding. */
    private static final Set<String> AS_IS = Set.of("", "7bit", "8bit", "binary");

    private static final String TEXT = "text/plain";
    private static final String MESSAGE = "message/rfc822";
    /** RFC 1847 §2.1: signed content must not change, not even its encoding. */
    private static final Set<String> UNTOUCHED = Set.of("multipart/signed", "multipart/encrypted");

    private final MimeInput input;
    private final List<Multipart> open = new ArrayList<>(4);
    private final List<EntityPosition> places = new ArrayList<>(4);
    private int entities = 1;

    private EntityLocator(InputStream message) {
        input = new MimeInput(message);
    }

    /** The header of an entity, read before its body. */
    private record Head(EntityPosition.Header place, Entity entity, boolean sound) {
        /** Whether its body has no encoding, and may get one. */
        boolean isChangeable() {
            boolean isNotice =
                    entity.mediaType().startsWith("message/") && !isMessage(); // RFC 2045 §6.4: never encoded
            return sound && AS_IS.contains(entity.encoding()) && !isNotice && !UNTOUCHED.contains(entity.mediaType());
        }

        boolean isMessage() {
            return entity.mediaType().equals(MESSAGE);
        }
    }

    /**
     * The positions in order.
     *
     * @param message read to its end or to a limit, not closed
     */
    public static List<EntityPosition> of(InputStream message) throws IOException {
        return new EntityLocator(message).walk();
    }

    private List<EntityPosition> walk() throws IOException {
        entity(true, TEXT);
        if (input.endsLinesWithCr()) {
            return List.of(); // a field inserted there would be read as two lines
        }
        while (entities < EntityWalk.MAX_ENTITIES && input.nextEntity()) {
            entities++;
            open.subList(input.depth(), open.size()).clear();
            entity(false, open.getLast().defaultType());
        }
        return List.copyOf(places);
    }

    /** Reads one entity; for an embedded message, or several nested ones, the entity of the innermost. */
    private void entity(boolean message, String defaultType) throws IOException {
        Head head = head(message, defaultType);
        while (head.isChangeable() && head.isMessage() && entities < EntityWalk.MAX_ENTITIES) {
            entities++;
            contains(head);
            head = head(true, TEXT);
        }
        if (!head.isChangeable() || head.isMessage()) {
            return;
        }
        if (head.entity.isMultipart()) {
            enter(head);
        } else {
            leaf(head);
        }
    }

    private Head head(boolean message, String defaultType) throws IOException {
        long start = input.offset();
        Set<Defect> defects = EnumSet.noneOf(Defect.class);
        HeaderBlock header = HeaderBlock.read(input, defects);
        Entity entity = Entity.of(header, defaultType, defects);
        defects.retainAll(DOUBTFUL);
        boolean hasRoom = header.size() + ADDED_FIELDS <= HeaderBlock.MAX_FIELDS
                && header.length() + ADDED <= HeaderBlock.MAX_BYTES;
        // with an empty line, before which a field can be inserted
        boolean ends = input.offset() > start + header.length();
        int encoding = header.first("content-transfer-encoding");
        return new Head(
                new EntityPosition.Header(
                        start + header.length(),
                        encoding < 0 ? -1 : start + header.valueStart(encoding),
                        encoding < 0 ? -1 : start + header.valueEnd(encoding),
                        !message || header.first("mime-version") >= 0,
                        header.first("content-type") >= 0),
                entity,
                defects.isEmpty() && hasRoom && ends);
    }

    /** Enters a multipart whose boundary is unambiguous. */
    private void enter(Head head) {
        String boundary = head.entity.boundary();
        if (boundary != null && !input.hasOpen(boundary) && open.size() < EntityWalk.MAX_DEPTH) {
            contains(head);
            input.open(boundary);
            open.add(new Multipart(head.entity, open.isEmpty() ? null : open.getLast()));
        }
    }

    private void contains(Head head) {
        String encoding = head.entity.encoding();
        boolean isAbove = encoding.equals("8bit") || encoding.equals("binary");
        places.add(new EntityPosition(
                isAbove ? head.place : head.place.withoutEncoding(), input.offset(), input.offset(), 0));
    }

    private void leaf(Head head) throws IOException {
        long body = input.offset();
        long eightBit = 0;
        byte[] piece = new byte[8 * 1024];
        for (int n = input.read(piece); n >= 0; n = input.read(piece)) {
            for (int i = 0; i < n; i++) {
                eightBit += piece[i] < 0 ? 1 : 0;
            }
        }
        if (eightBit > 0) {
            places.add(new EntityPosition(head.place, body, input.offset(), eightBit));
        }
    }
}
