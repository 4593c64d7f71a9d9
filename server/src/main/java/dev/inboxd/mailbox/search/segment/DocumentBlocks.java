package dev.inboxd.mailbox.search.segment;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/**
 * The document map of a segment in blocks: the ids of its messages, oldest first. These blocks precede the postings.
 */
public final class DocumentBlocks {
    /** Documents in a block. */
    static final int IN_A_BLOCK = 100;
    /** Less than the key of every term. */
    private static final long FIRST_KEY = Long.MIN_VALUE;

    private DocumentBlocks() {}

    /** The blocks of the document map for these messages. */
    public static List<PostingsBlock> blocks(List<UUID> messages) {
        List<PostingsBlock> blocks = new ArrayList<>();
        for (int from = 0; from < messages.size(); from += IN_A_BLOCK) {
            List<UUID> portion = messages.subList(from, Math.min(from + IN_A_BLOCK, messages.size()));
            ByteBuffer bytes = ByteBuffer.allocate(size(portion.size()));
            portion.forEach(id -> bytes.putLong(id.getMostSignificantBits()).putLong(id.getLeastSignificantBits()));
            blocks.add(new PostingsBlock(key(from), 0, bytes.array()));
        }
        return blocks;
    }

    /** The key of the block that has a document's message. */
    public static long key(int document) {
        return FIRST_KEY + document / IN_A_BLOCK;
    }

    /**
     * The message of a document.
     *
     * @param content the content of its block, or a range of it
     * @param document its number in the segment, or in that range
     */
    public static UUID message(byte[] content, int document) {
        ByteBuffer bytes = ByteBuffer.wrap(content);
        int offset = offset(document);
        return new UUID(bytes.getLong(offset), bytes.getLong(offset + Long.BYTES));
    }

    /** The offset of a document's message in its block, in bytes. */
    public static int offset(int document) {
        return size(document % IN_A_BLOCK);
    }

    /** The bytes of a number of messages. */
    public static int size(int documents) {
        return documents * Long.BYTES * 2;
    }

    /** The messages in the document blocks of a segment, oldest first; postings among the blocks are skipped. */
    public static List<UUID> messages(List<PostingsBlock> inOrder) {
        List<UUID> messages = new ArrayList<>();
        for (PostingsBlock block : inOrder) {
            int named = isTerms(block) ? 0 : block.content().length / size(1);
            for (int i = 0; i < named; i++) {
                messages.add(message(block.content(), i));
            }
        }
        return messages;
    }

    /** Whether a block has postings, and not documents. */
    public static boolean isTerms(PostingsBlock block) {
        return block.key() >= 0;
    }
}
