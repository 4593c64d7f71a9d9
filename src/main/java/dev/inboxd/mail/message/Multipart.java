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

    Multipart(String mediaType, @Nullable Multipart parent) {
        this.mediaType = mediaType;
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
            int taken = html ? m.htmlBranch : m.textBranch;
            if (m.mediaType.equals("multipart/alternative") && taken != NONE && taken != m.branch) {
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
