package dev.inboxd.notify.stream;

/** Somebody whom the tail tells of what happens. */
sealed interface LogListener permits Subscriber, LongPoll {
    /** Whether it wants to hear of an entry, visible or not; must be quick. */
    boolean accepts(LoggedEvent.Entry entry);
}
