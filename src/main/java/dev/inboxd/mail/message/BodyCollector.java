package dev.inboxd.mail.message;

import java.io.IOException;
import java.io.InputStream;
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
            attachments.add(new Leaf(walk.index(), leaf, type, related, start.length + drain(content)));
        }
    }

    /** The label of the first text that has one; null when there is none. */
    @Nullable
    String charset() {
        return charset;
    }

    Body body() {
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
        boolean isText =
                leaf.mediaType().equals("text/plain") || leaf.mediaType().equals("text/html");
        if (!isText || leaf.isAttachment()) {
            return false;
        }
        if (parent != null && parent.isRelated()) {
            return parent.takesAsRoot(leaf);
        }
        return parent == null || parent.isAtFirstPart() || leaf.filename() == null;
    }

    private static long drain(InputStream content) throws IOException {
        long size = 0;
        var chunk = new byte[4 * 1024];
        for (int n = content.read(chunk); n >= 0; n = content.read(chunk)) {
            size += n;
        }
        return size;
    }

    private record Leaf(int index, Entity entity, String mediaType, boolean related, long size) {
        AttachmentPart toPart(Set<String> referred) {
            var id = entity.contentId();
            boolean isShown = (related || !entity.isAttachment()) && id != null && referred.contains(id);
            boolean inline = isShown || "inline".equals(entity.disposition());
            return new AttachmentPart(index, mediaType, entity.filename(), inline, id, size);
        }
    }
}
