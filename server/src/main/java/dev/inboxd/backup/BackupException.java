package dev.inboxd.backup;

/** A backup cannot be made, read or restored; the message tells the operator why, and the remedy. */
public class BackupException extends RuntimeException {
    private static final long serialVersionUID = 1;

    public BackupException(String message) {
        super(message);
    }
}
