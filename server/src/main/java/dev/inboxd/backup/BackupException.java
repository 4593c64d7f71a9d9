package dev.inboxd.backup;

import dev.inboxd.base.error.OperatorException;

/** A backup cannot be made, read or restored; the message tells the operator why, and the remedy. */
public class BackupException extends OperatorException {
    private static final long serialVersionUID = 1;

    public BackupException(String message) {
        super(message);
    }
}
