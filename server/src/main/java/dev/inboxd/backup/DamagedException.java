package dev.inboxd.backup;

/** A part of a backup is missing, or is not what was written. */
final class DamagedException extends BackupException {
    private static final long serialVersionUID = 1;

    DamagedException(String message) {
        super(message);
    }
}
