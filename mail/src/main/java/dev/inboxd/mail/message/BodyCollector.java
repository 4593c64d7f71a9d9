package dev.inboxd.mail.message;

import dev.inboxd.mail.format.ContentIdReferences;
import java.io.ByteArrayInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Sorts the leaves of a message into shown text, shown HTML and attachments (like RFC 8621 §4.1.4). */
final class BodyCollector {
    /** Labels that are tried for names of files. */
    private static final int MAX_CHARSETS = 10;

    private final Set<Defect> defects;
    private final MediaTypeCheck check;
    private final DisplayText text = new DisplayText();
    private final DisplayText html = new DisplayText();
    private final ShownParts shown = new ShownParts();
    private @Nullable String charset;
    private final Set<String> charsets = new LinkedHashSet<>();
    private @Nullable SpareText spareRoot;
    private final List<SpareText> otherTexts = new ArrayList<>(0);
    private final DisplayText spareText = new DisplayText();
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
            show(leaf, parent, read);
        } else {
            boolean related = parent != null && parent.isWithinRelated();
            var content = walk.content();
            var start = content.readNBytes(MediaTypeCheck.START);
            var type = check.mediaType(leaf.mediaType(), leaf.filename(), start);
            var remaining = new CountedStream(content);
            if (start.length == 0 || TextStart.isText(start)) {
                keep(walk, leaf, new SequenceInputStream(new ByteArrayInputStream(start), remaining));
            }
            drain(remaining);
            long size = start.length + remaining.count;
            attachments.add(new Leaf(
                    walk.index(),
                    leaf,
                    type,
                    related,
                    size,
                    TextStart.isText(start, leaf.mediaType(), leaf.filename())));
        }
    }

    private void show(Entity leaf, @Nullable Multipart parent, String content) {
        var label = leaf.charset();
        charset = charset == null ? label : charset;
        if (label != null && charsets.size() < MAX_CHARSETS) {
            charsets.add(label);
        }
        shown.add(parent == null ? null : parent.alternative(), leaf, content);
    }

    /** A text that is shown when the message turns out to have no other. */
    private record SpareText(
            int index, Entity leaf, @Nullable Multipart parent, String content) {
        @Nullable
        Multipart alternative() {
            return parent == null ? null : parent.alternative();
        }
    }

    /**
     * Reads a text that may have to be shown: the first text of a multipart/related that names another part as its
     * root, for there may be no such part, or no text in it; and a text of another subtype (ruling 134).
     */
    private void keep(EntityWalk walk, Entity leaf, InputStream content) throws IOException {
        var parent = walk.parent();
        boolean isRelated = parent != null && parent.isRelated();
        boolean isFirst = parent == null || !isRelated || parent.isAtFirstPart();
        if (spareRoot == null && isRelated && OtherText.isPlainOrHtml(leaf) && !leaf.isAttachment()) {
            boolean isHtml = leaf.mediaType().equals("text/html");
            var read = new DisplayText().read(content, leaf, isHtml, defects);
            spareRoot = new SpareText(walk.index(), leaf, parent, read);
        } else if (shown.isEmpty() && OtherText.mayBeBody(leaf) && isFirst) {
            var read = spareText.read(content, leaf, false, EnumSet.noneOf(Defect.class));
            otherTexts.add(new SpareText(walk.index(), leaf, parent, OtherText.plain(leaf, read)));
        }
    }

    private void showSpare() {
        var root = spareRoot;
        if (root != null && root.parent != null && !root.parent.hasRoot()) {
            show(root);
        }
        if (shown.isEmpty()) {
            Set<Multipart> alternatives = new HashSet<>();
            otherTexts.stream()
                    .filter(text -> text.alternative() == null || alternatives.add(text.alternative()))
                    .forEach(this::show);
        }
    }

    private void show(SpareText text) {
        show(text.leaf, text.parent, text.content);
        attachments.removeIf(leaf -> leaf.index() == text.index);
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
                attachments.stream()
                        .map(leaf -> leaf.toPart(referred, charsets))
                        .toList());
    }

    // RFC 8621 §4.1.4: a text with a file name is an attachment, unless it comes first; in a multipart/related only
    // its root is text.
    private static boolean isBody(Entity leaf, @Nullable Multipart parent) {
        if (!OtherText.isPlainOrHtml(leaf) || leaf.isAttachment()) {
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
        AttachmentPart toPart(Set<String> referred, Set<String> charsets) {
            var id = entity.contentId();
            boolean isShown = (related || !entity.isAttachment()) && id != null && referred.contains(id);
            boolean inline = isShown || "inline".equals(entity.disposition());
            return new AttachmentPart(index, mediaType, entity.filename(charsets), inline, id, size, isText);
        }
    }
}
