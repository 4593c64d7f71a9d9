package dev.inboxd.sending.draft;

import org.jspecify.annotations.Nullable;

/**
 * A member of a change: left out, or there with a value, which null empties.
 *
 * @param present whether it is there
 * @param value what it says, of no meaning when it is left out
 */
record PatchValue<T>(boolean present, @Nullable T value) {
    /** What holds after the change. */
    @Nullable
    T or(@Nullable T before) {
        return present ? value : before;
    }
}
