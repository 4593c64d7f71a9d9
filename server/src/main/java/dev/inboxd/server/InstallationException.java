package dev.inboxd.server;

import dev.inboxd.base.error.OperatorException;

/** This process does not belong to the installation of its database; the message says why, and the remedy. */
public final class InstallationException extends OperatorException {
    private static final long serialVersionUID = 1;

    public InstallationException(String message) {
        super(message);
    }
}
