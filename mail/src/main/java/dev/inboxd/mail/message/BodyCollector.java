package dev.inboxd.mail.message;

import java.io.ByteArrayInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Sorts the leaves of a message into shown text, shown HTML and attachments (like RFC 8621 §4.1.4). */
final class BodyCollector {
    private final Set<Defect> defects;
    private final MediaTypeCheck check;
    private final DisplayText text = new DisplayText();
    private final DisplayText html = new DisplayText();
    private final ShownParts shown = new ShownParts();
    private @Nullable String charset;
    private @Nullable SpareRoot spare;
    private final List<Leaf> attachments = new ArrayList<>();

    BodyCollector(Set<Defect> defects, MediaTypeCheck check) {
        this.defects = defects;
        this.check = check;
    }

    /** Adds the walk's current leaf and reads it to its end. */
    void add(EntityWalk walk) throws IOException {
        var leaf = walk.leaf();
        var parent = walk.parent();
        boolean isHtml = leaf.mediaType().equals("text/html");
        if (isBody(leaf, parent) && (parent == null || parent.claim(isHtml))) {
            var read = (isHtml ? html : text).read(walk.content(), leaf, isHtml, defects);
            charset = charset == null ? leaf.charset() : charset;
            shown.add(parent == null ? null : parent.alternative(), leaf, read);
        } else {
            boolean related = parent != null && parent.isWithinRelated();
            var content = walk.content();
            var start = content.readNBytes(MediaTypeCheck.START);
            var type = check.mediaType(leaf.mediaType(), leaf.filename(), start);
            var rest = new CountedStream(content);
            if (spare == null && parent != null && parent.isRelated() && isText(leaf) && !leaf.isAttachment()) {
                var whole = new SequenceInputStream(new ByteArrayInputStream(start), rest);
                spare = new SpareRoot(walk.index(), leaf, parent, new DisplayText().read(whole, leaf, isHtml, defects));
            }
            drain(rest);
            long size = start.length + rest.count;
            attachments.add(new Leaf(
                    walk.index(),
                    leaf,
                    type,
                    related,
                    size,
                    TextStart.isText(start, leaf.mediaType(), leaf.filename())));
        }
    }

    /**
     * The first text of a multipart/related that names another part as its root. There may be no such part, or no text
     * in it: then this one is shown.
     */
    private record SpareRoot(int index, Entity leaf, Multipart related, String content) {}

    private void showSpare() {
        if (spare != null && !spare.related.hasRoot()) {
            int index = spare.index;
            charset = charset == null ? spare.leaf.charset() : charset;
            shown.add(spare.related.alternative(), spare.leaf, spare.content);
            attachments.removeIf(leaf -> leaf.index() == index);
        }
    }

    /** Counts the octets that were read. */
    private static final class CountedStream extends FilterInputStream {
        private long count;

        CountedStream(InputStream in) {
            super(in);
        }

        @Override
        public int read() throws IOException {
            int octet = super.read();
            count += octet < 0 ? 0 : 1;
            return octet;
        }

        @Override
        public int read(byte[] into, int offset, int length) throws IOException {
            int read = super.read(into, offset, length);
            count += Math.max(0, read);
            return read;
        }
    }

    private static boolean isText(Entity leaf) {
        return leaf.mediaType().equals("text/plain") || leaf.mediaType().equals("text/html");
    }

    /** The label of the first text that has one; null when there is none. */
    @Nullable
    String charset() {
        return charset;
    }

    /** Call when all leaves were added. */
    Body body() {
        showSpare();
        var htmlText = shown.html();
        boolean mayRefer = attachments.stream().anyMatch(leaf -> leaf.entity().contentId() != null);
        var referred = htmlText != null && mayRefer ? ContentIdReferences.in(htmlText) : Set.<String>of();
        return new Body(
                shown.text(),
                shown.flowed(),
                htmlText,
                attachments.stream().map(leaf -> leaf.toPart(referred)).toList());
    }

    // RFC 8621 §4.1.4: a text with a file name is an attachment, unless it comes first; in a multipart/related only
    // its root is text.
    private static boolean isBody(Entity leaf, @Nullable Multipart parent) {
        if (!isText(leaf) || leaf.isAttachment()) {
            return false;
        }
        if (parent != null && parent.isRelated()) {
            return parent.takesAsRoot(leaf);
        }
        return parent == null || parent.isAtFirstPart() || leaf.filename() == null;
    }

    private static void drain(InputStream content) throws IOException {
        var chunk = new byte[4 * 1024];
        while (content.read(chunk) >= 0) {
            // what is not shown is only counted
        }
    }

    private record Leaf(int index, Entity entity, String mediaType, boolean related, long size, boolean isText) {
        AttachmentPart toPart(Set<String> referred) {
            var id = entity.contentId();
            boolean isShown = (related || !entity.isAttachment()) && id != null && referred.contains(id);
            boolean inline = isShown || "inline".equals(entity.disposition());
            return new AttachmentPart(index, mediaType, entity.filename(), inline, id, size, isText);
        }
    }
}
