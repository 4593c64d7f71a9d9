package dev.inboxd.notify.stream;

/** Somebody whom the tail tells of what happens. */
sealed interface Listener permits Subscriber, Waiter {
    /** Whether it wants to hear of an entry, visible or not; must be quick. */
    boolean wants(Happening.Entry entry);
}
