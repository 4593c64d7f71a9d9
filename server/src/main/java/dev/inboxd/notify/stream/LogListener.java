package dev.inboxd.notify.stream;

/** A listener of {@link LogTail}: a WebSocket or a long poll. */
sealed interface LogListener permits Subscriber, LongPoll {
    /** Whether an entry matches its filter, visible to its caller or not; must be quick. */
    boolean accepts(LoggedEvent.Entry entry);
}
