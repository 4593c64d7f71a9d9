package dev.inboxd.mail.verp;

import java.util.UUID;

/**
 * What a bounce is about: one recipient, since each has a path of its own.
 *
 * @param organization whose mail it was, a UUID of version 7
 * @param submission the mail's place in the queue, a UUID of version 7
 * @param position the recipient's place in the submission, from 1 to {@value #LAST}
 */
public record ReturnPath(UUID organization, UUID submission, int position) {
    /** The last position that a path can carry. */
    public static final int LAST = 63;

    /** Checks that the parts can be written. */
    public ReturnPath {
        if (position < 1 || position > LAST || organization.version() != 7 || submission.version() != 7) {
            throw new IllegalArgumentException("A return path needs ids of version 7 and a position of 1 to " + LAST);
        }
    }
}
