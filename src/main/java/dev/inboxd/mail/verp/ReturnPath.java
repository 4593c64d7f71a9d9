package dev.inboxd.mail.verp;

import java.util.UUID;

/**
 * What a bounce is about.
 *
 * @param organization whose mail it was, a UUID of version 7
 * @param submission the mail's place in the queue, a UUID of version 7
 * @param position the recipient's place in the submission, from 1; {@link #SHARED} when several recipients had this path
 *     in one transaction, so that only the bounce can say whom it is about
 */
public record ReturnPath(UUID organization, UUID submission, int position) {
    /** The position of a path that several recipients share. */
    public static final int SHARED = 0;
    /** The last position that a path can carry; recipients beyond it get a {@link #SHARED} one. */
    public static final int LAST = 63;

    /** Checks that the parts can be written. */
    public ReturnPath {
        if (position < SHARED || position > LAST || organization.version() != 7 || submission.version() != 7) {
            throw new IllegalArgumentException("A return path needs ids of version 7 and a position of 0 to " + LAST);
        }
    }
}
