package dev.inboxd.mailbox.search;

import java.time.Instant;
import java.util.List;
import java.util.UUID;

/**
 * A run: the index of some messages of one scope that follow one another in time. It is never changed, only replaced.
 *
 * @param scope the inbox, pod or organization
 * @param number its name, a number of the organization's clock
 * @param documents how many messages
 * @param newest when the youngest of them was stored; what orders the runs of a scope
 * @param deleted how many of them have been deleted since
 */
record Segment(UUID scope, long number, int documents, Instant newest, int deleted) {
    /** A run of messages that are all there. */
    Segment(UUID scope, long number, int documents, Instant newest) {
        this(scope, number, documents, newest, 0);
    }

    /**
     * A new run with all of its blocks, small enough for one transaction.
     *
     * @param blocks in the order of their keys
     */
    record NewSegment(Segment segment, List<PostingsBlock> blocks) {
        NewSegment {
            blocks = List.copyOf(blocks);
        }

        NewSegment numbered(long number) {
            return new NewSegment(
                    new Segment(segment.scope, number, segment.documents, segment.newest, segment.deleted), blocks);
        }

        /** The same run, in which so many messages were deleted while it was made. */
        NewSegment without(int deleted) {
            return new NewSegment(
                    new Segment(segment.scope, segment.number, segment.documents, segment.newest, deleted), blocks);
        }
    }
}
