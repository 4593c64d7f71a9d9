package dev.inboxd.backup;

import dev.inboxd.base.vault.Vault;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Whether the seals of the backups of a place vouch for them. Who can write to the place can also remove a seal, so
 * that a backup looks like one of an earlier version: such a one is taken only when that is asked for.
 */
public final class Seals {
    private static final String REMEDY =
            " If you know that it is such a one, --unsealed takes it all the same; else use another backup.";

    private final BackupStore store;
    private final Optional<Vault> vault;
    private final SealRule rule;

    /**
     * The seals of a place.
     *
     * @param vault with the master keys that are here; empty when there are none
     */
    public Seals(BackupStore store, Optional<Vault> vault, SealRule rule) {
        this.store = store;
        this.vault = vault;
        this.rule = rule;
    }

    /**
     * Sees that a backup may be taken.
     *
     * @return what is to be known of its seal, for people, or null
     * @throws BackupException when it may not: somebody changed it, or it lacks a seal that it needs
     */
    public @Nullable String hint(Manifest manifest) {
        if (vault.isPresent()) {
            String unsealed = manifest.requireSeal(vault.get());
            if (unsealed != null && rule != SealRule.NONE) {
                throw new DamagedException(unsealed + REMEDY);
            }
            return unsealed;
        }
        String unchecked = "The seal was not checked, as no master key was named.";
        if (rule == SealRule.REQUIRED) {
            throw new DamagedException(unchecked + " Name it with --secret-key-file.");
        }
        if (!manifest.isSealed() && rule == SealRule.USUAL && isSealed()) {
            throw new DamagedException("The backup " + manifest.id() + " has no seal, which other backups of the place"
                    + " have: somebody removed it, or it was made without the master key." + REMEDY);
        }
        return unchecked;
    }

    /** Whether any backup of the place has a seal. */
    private boolean isSealed() {
        return store.all().stream().anyMatch(key -> {
            try {
                return store.manifest(key).isSealed();
            } catch (BackupException damaged) {
                return false;
            }
        });
    }
}
