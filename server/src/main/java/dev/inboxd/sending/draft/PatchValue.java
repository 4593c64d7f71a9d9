package dev.inboxd.sending.draft;

import org.jspecify.annotations.Nullable;

/**
 * A member of a change: absent, or present with a value; null clears the stored value.
 *
 * @param present whether the request has the member
 * @param value the new value; meaningless when absent
 */
record PatchValue<T>(boolean present, @Nullable T value) {
    /** The value after the change. */
    @Nullable
    T or(@Nullable T before) {
        return present ? value : before;
    }
}
