package dev.inboxd.base.module;

/** Whether the service is about to stop: it serves what comes, and asks to be sent no more. */
public final class Drain {
    private volatile boolean begun;

    /** A service that is to go on. */
    public Drain() {}

    /** From now on the service says that it stops. */
    public void begin() {
        begun = true;
    }

    /** Whether it says so. */
    public boolean isBegun() {
        return begun;
    }
}
