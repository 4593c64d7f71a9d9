package dev.inboxd.smtp.client;

/** As many sessions with a host as may be are in use; its mail is to be tried again soon, and is not delayed by it. */
public final class HostBusyException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public HostBusyException() {
        super("As many sessions with the host as may be are in use");
    }
}
