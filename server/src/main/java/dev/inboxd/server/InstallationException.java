package dev.inboxd.server;

/** This process does not belong to the installation of its database; the message says why, and the remedy. */
public final class InstallationException extends RuntimeException {
    private static final long serialVersionUID = 1;

    public InstallationException(String message) {
        super(message);
    }
}
