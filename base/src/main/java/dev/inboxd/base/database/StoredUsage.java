package dev.inboxd.base.database;

/**
 * Stored messages and bytes of an organization (promises.md A43).
 *
 * @param messages received and sent messages
 * @param bytes bytes of messages, and of drafts with their files
 */
public record StoredUsage(long messages, long bytes) {
    /** Nothing. */
    public static final StoredUsage NONE = new StoredUsage(0, 0);

    /** One message of this size. */
    public static StoredUsage message(long bytes) {
        return new StoredUsage(1, bytes);
    }

    /** The sum of both. */
    public StoredUsage plus(StoredUsage addend) {
        return new StoredUsage(messages + addend.messages, bytes + addend.bytes);
    }

    /** The difference. */
    public StoredUsage minus(StoredUsage subtrahend) {
        return new StoredUsage(messages - subtrahend.messages, bytes - subtrahend.bytes);
    }
}
