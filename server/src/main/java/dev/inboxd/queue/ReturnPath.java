package dev.inboxd.queue;

import java.util.UUID;

/**
 * The recipient that a bounce is about; each recipient has a return path of its own.
 *
 * @param organization the sender's organization, a UUID of version 7
 * @param submission the mail's place in the queue, a UUID of version 7
 * @param position the recipient's place in the submission, from 1 to {@value #LAST}
 */
public record ReturnPath(UUID organization, UUID submission, int position) {
    /** The last position that a path can encode. */
    public static final int LAST = 63;

    /**
     * Checks that the parts can be encoded.
     *
     * @throws IllegalArgumentException when an id is of another version, or the position out of its range
     */
    public ReturnPath {
        if (position < 1 || position > LAST || organization.version() != 7 || submission.version() != 7) {
            throw new IllegalArgumentException("A return path needs ids of version 7 and a position of 1 to " + LAST);
        }
    }
}
