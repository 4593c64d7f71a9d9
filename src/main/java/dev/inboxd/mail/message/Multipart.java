package dev.inboxd.mail.message;

import org.jspecify.annotations.Nullable;

/** A multipart that is being read, and which of its branches has already given the shown text and HTML. */
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

    /** True when this multipart or one around it is a multipart/related (RFC 2387). */
    boolean isWithinRelated() {
        for (Multipart m = this; m != null; m = m.parent) {
            if (m.isRelated()) {
                return true;
            }
        }
        return false;
    }

    /** RFC 2046 §5.1.5: the parts of a digest are messages unless they say otherwise. */
    String defaultType() {
        return mediaType.equals("multipart/digest") ? "message/rfc822" : "text/plain";
    }

    /**
     * Whether the current part may be shown as text or HTML: of an alternative only the branch that gave the first one.
     * If so, it is noted that this branch gives it.
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
