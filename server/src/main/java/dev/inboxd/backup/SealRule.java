package dev.inboxd.backup;

/** Which backups without a seal are taken. */
public enum SealRule {
    /** None where the master key is here, or where other backups of the place have one. */
    USUAL,
    /** None, and none whose seal cannot be checked. */
    REQUIRED,
    /** All: those of earlier versions, and those that were made without the master key. */
    NONE
}
