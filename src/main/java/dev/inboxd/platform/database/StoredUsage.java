package dev.inboxd.platform.database;

/**
 * How much of an organization is kept (promises.md A43).
 *
 * @param messages how many, whichever way they went
 * @param bytes of them, and of what is to become one: drafts with their files
 */
public record StoredUsage(long messages, long bytes) {
    /** Nothing. */
    public static final StoredUsage NONE = new StoredUsage(0, 0);

    /** One message of that size. */
    public static StoredUsage message(long bytes) {
        return new StoredUsage(1, bytes);
    }

    /** Both together. */
    public StoredUsage plus(StoredUsage other) {
        return new StoredUsage(messages + other.messages, bytes + other.bytes);
    }

    /** This without the other. */
    public StoredUsage minus(StoredUsage other) {
        return new StoredUsage(messages - other.messages, bytes - other.bytes);
    }
}
