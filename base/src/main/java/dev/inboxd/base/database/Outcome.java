package dev.inboxd.base.database;

/**
 * What a verb leaves behind, and whether it changed anything: a repetition has the same value and changes nothing.
 *
 * @param value what is there now
 * @param changed whether this call made it so
 */
public record Outcome<T>(T value, boolean changed) {
    /** Something was changed. */
    public static <T> Outcome<T> changed(T value) {
        return new Outcome<>(value, true);
    }

    /** Everything was so before. */
    public static <T> Outcome<T> same(T value) {
        return new Outcome<>(value, false);
    }
}
