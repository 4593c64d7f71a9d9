package dev.inboxd.platform.database;

/**
 * How much of an organization is kept (promises.md A43).
 *
 * @param messages how many, whichever way they went
 * @param bytes of them, and of what is to become one: drafts with their files
 */
public record Kept(long messages, long bytes) {
    /** Nothing. */
    public static final Kept NONE = new Kept(0, 0);

    /** One message of that size. */
    public static Kept message(long bytes) {
        return new Kept(1, bytes);
    }

    /** Both together. */
    public Kept plus(Kept other) {
        return new Kept(messages + other.messages, bytes + other.bytes);
    }

    /** This without the other. */
    public Kept minus(Kept other) {
        return new Kept(messages - other.messages, bytes - other.bytes);
    }
}
