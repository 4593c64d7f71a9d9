package dev.inboxd.mail.message;

import org.jspecify.annotations.Nullable;

/** A multipart that is being read, with the branch that has already given the shown text and HTML. */
final class Multipart {
    private static final int NONE = -1;

    private final String mediaType;
    private final @Nullable Multipart parent;
    private int branch = NONE;
    private int textBranch = NONE;
    private int htmlBranch = NONE;
    /** The Content-ID of a multipart/related's root, null when it names none (RFC 2387 §3.2). */
    private final @Nullable String start;

    private boolean hasRoot;

    Multipart(Entity entity, @Nullable Multipart parent) {
        this.mediaType = entity.mediaType();
        this.start = entity.start();
        this.parent = parent;
    }

    void nextBranch() {
        branch++;
    }

    boolean isAtFirstPart() {
        return branch == 0;
    }

    boolean isRelated() {
        return mediaType.equals("multipart/related");
    }

    /**
     * Whether a text is the root of this multipart/related: the one that {@code start} names, else the first. A text
     * without a Content-ID may be the one that is named: many senders forget it.
     */
    boolean takesAsRoot(Entity leaf) {
        boolean isNamed = start == null || leaf.contentId() == null || start.equals(leaf.contentId());
        if (hasRoot || !isNamed) {
            return false;
        }
        hasRoot = true;
        return true;
    }

    boolean hasRoot() {
        return hasRoot;
    }

    /** The outermost multipart/alternative, from this one outwards; null when there is none. */
    @Nullable
    Multipart alternative() {
        Multipart outermost = null;
        for (Multipart m = this; m != null; m = m.parent) {
            outermost = m.mediaType.equals("multipart/alternative") ? m : outermost;
        }
        return outermost;
    }

    /** Whether this multipart or one around it is a multipart/related (RFC 2387). */
    boolean isWithinRelated() {
        for (Multipart m = this; m != null; m = m.parent) {
            if (m.isRelated()) {
                return true;
            }
        }
        return false;
    }

    /** RFC 2046 §5.1.5: the parts of a digest are messages unless they declare another type. */
    String defaultType() {
        return mediaType.equals("multipart/digest") ? "message/rfc822" : "text/plain";
    }

    /**
     * Claims the place of the shown text or HTML for the current part: in an alternative, only the branch that gave
     * the first one may give more.
     *
     * @return whether the part may be shown
     */
    boolean claim(boolean html) {
        for (Multipart m = this; m != null; m = m.parent) {
            int claimed = html ? m.htmlBranch : m.textBranch;
            if (m.mediaType.equals("multipart/alternative") && claimed != NONE && claimed != m.branch) {
                return false;
            }
        }
        for (Multipart m = this; m != null; m = m.parent) {
            if (html) {
                m.htmlBranch = m.branch;
            } else {
                m.textBranch = m.branch;
            }
        }
        return true;
    }
}
