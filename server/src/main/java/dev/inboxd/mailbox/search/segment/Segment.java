package dev.inboxd.mailbox.search.segment;

import java.time.Instant;
import java.util.List;
import java.util.UUID;

/**
 * A segment: the index of some messages of one scope that follow one another in time. Immutable; it is only replaced.
 *
 * @param scope the inbox, pod or organization
 * @param number its name, a sequence number of the organization's clock
 * @param documents number of messages
 * @param newest when the newest of them was stored; orders the segments of a scope
 * @param deleted number of them that were deleted since
 */
public record Segment(UUID scope, long number, int documents, Instant newest, int deleted) {
    /** A segment without deleted messages. */
    public Segment(UUID scope, long number, int documents, Instant newest) {
        this(scope, number, documents, newest, 0);
    }

    /**
     * A new segment with all of its blocks, small enough for one transaction.
     *
     * @param blocks in the order of their keys
     */
    public record NewSegment(Segment segment, List<PostingsBlock> blocks) {
        public NewSegment {
            blocks = List.copyOf(blocks);
        }

        public NewSegment numbered(long number) {
            return new NewSegment(
                    new Segment(segment.scope, number, segment.documents, segment.newest, segment.deleted), blocks);
        }

        /**
         * The same segment with messages that were deleted while it was built.
         *
         * @param deleted their number
         */
        public NewSegment without(int deleted) {
            return new NewSegment(
                    new Segment(segment.scope, segment.number, segment.documents, segment.newest, deleted), blocks);
        }
    }
}
