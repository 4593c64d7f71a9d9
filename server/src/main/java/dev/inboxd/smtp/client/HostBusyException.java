package dev.inboxd.smtp.client;

/**
 * The maximum number of sessions with a host is in use. Its mail is tried again soon; the host itself is not at fault.
 */
public final class HostBusyException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public HostBusyException() {
        super("The maximum number of sessions with the host is in use");
    }
}
