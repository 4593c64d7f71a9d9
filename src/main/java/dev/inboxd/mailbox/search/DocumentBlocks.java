package dev.inboxd.mailbox.search;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** The documents of a run: the keys of its messages, oldest first, in blocks that precede those of the terms. */
final class DocumentBlocks {
    /** How many a block names. */
    static final int IN_A_BLOCK = 100;
    /** Below every key of a term. */
    private static final long FIRST_KEY = Long.MIN_VALUE;

    private DocumentBlocks() {}

    /** The blocks that name these messages. */
    static List<PostingsBlock> blocks(List<UUID> messages) {
        List<PostingsBlock> blocks = new ArrayList<>();
        for (int from = 0; from < messages.size(); from += IN_A_BLOCK) {
            List<UUID> some = messages.subList(from, Math.min(from + IN_A_BLOCK, messages.size()));
            ByteBuffer bytes = ByteBuffer.allocate(size(some.size()));
            some.forEach(id -> bytes.putLong(id.getMostSignificantBits()).putLong(id.getLeastSignificantBits()));
            blocks.add(new PostingsBlock(key(from), 0, bytes.array()));
        }
        return blocks;
    }

    /** The key of the block that names a document. */
    static long key(int document) {
        return FIRST_KEY + document / IN_A_BLOCK;
    }

    /** The message that a document is, from the content of its block; or the so-many-eth of a piece of one. */
    static UUID message(byte[] content, int document) {
        ByteBuffer bytes = ByteBuffer.wrap(content);
        int offset = offset(document);
        return new UUID(bytes.getLong(offset), bytes.getLong(offset + Long.BYTES));
    }

    /** Where the name of a document begins in its block, in bytes. */
    static int offset(int document) {
        return size(document % IN_A_BLOCK);
    }

    /** The bytes that so many names take. */
    static int size(int documents) {
        return documents * Long.BYTES * 2;
    }

    /** The messages that the blocks of a run name, oldest first; the blocks of terms among them are passed over. */
    static List<UUID> messages(List<PostingsBlock> inOrder) {
        List<UUID> messages = new ArrayList<>();
        for (PostingsBlock block : inOrder) {
            int named = isTerms(block) ? 0 : block.content().length / size(1);
            for (int i = 0; i < named; i++) {
                messages.add(message(block.content(), i));
            }
        }
        return messages;
    }

    /** Whether a block is one of terms, not of documents. */
    static boolean isTerms(PostingsBlock block) {
        return block.key() >= 0;
    }
}
