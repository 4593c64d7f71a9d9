package dev.inboxd.backup;

import dev.inboxd.platform.blob.BlobKey;
import dev.inboxd.platform.vault.Vault;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Checks a backup and, when it is damaged, names the newest one of the place that is not. */
public final class PlaceCheck {
    private final BackupStore store;
    private final Optional<Vault> vault;
    private final Consumer<String> progress;

    /**
     * A check.
     *
     * @param vault with the master keys that are here, for the seal; empty when there are none
     * @param progress is told now and then what is being done, for people
     */
    public PlaceCheck(BackupStore store, Optional<Vault> vault, Consumer<String> progress) {
        this.store = store;
        this.vault = vault;
        this.progress = progress;
    }

    /**
     * What was found.
     *
     * @param id of the backup
     * @param manifest of the backup; null when that itself is damaged
     * @param faults how many there are
     * @param sentences one for each fault, and no more than some
     * @param hint what is to be known beside faults, or null
     * @param lastGood this backup when it has no faults, else the newest one without; null when there is none
     */
    public record Verdict(
            String id,
            @Nullable Manifest manifest,
            long faults,
            List<String> sentences,
            @Nullable String hint,
            @Nullable Manifest lastGood) {
        public Verdict {
            sentences = List.copyOf(sentences);
        }
    }

    /**
     * Checks a backup, and others until one is good.
     *
     * @param id of the backup; empty: the newest one
     * @param isSealNeeded whether a backup without a seal is a fault
     * @throws BackupException when there is no such backup
     */
    public Verdict run(String id, boolean isSealNeeded) {
        List<BlobKey> all = store.all().reversed();
        BlobKey wanted = all.stream()
                .filter(key -> id.isEmpty() || key.name().equals(id))
                .findFirst()
                .orElseThrow(() -> BackupStore.none(id));
        Verdict verdict = check(wanted, isSealNeeded);
        if (verdict.faults == 0) {
            return verdict;
        }
        for (BlobKey other : all) {
            if (!other.equals(wanted)) {
                Verdict earlier = check(other, isSealNeeded);
                if (earlier.faults == 0) {
                    return new Verdict(
                            verdict.id,
                            verdict.manifest,
                            verdict.faults,
                            verdict.sentences,
                            verdict.hint,
                            earlier.manifest);
                }
            }
        }
        return verdict;
    }

    private Verdict check(BlobKey key, boolean isSealNeeded) {
        List<String> sentences = new ArrayList<>();
        @Nullable Manifest manifest = null;
        @Nullable String hint = null;
        long faults = 0;
        try {
            manifest = store.manifest(key);
            hint = seal(manifest);
            if (hint != null && isSealNeeded) {
                sentences.add(hint);
                hint = null;
            }
        } catch (DamagedException damaged) {
            sentences.add(String.valueOf(damaged.getMessage()));
        }
        faults += sentences.size();
        if (manifest != null) {
            BackupCheck.Faults found = new BackupCheck(store, manifest, progress).faults();
            faults += found.count();
            sentences.addAll(found.sentences());
        }
        return new Verdict(key.name(), manifest, faults, sentences, hint, faults == 0 ? manifest : null);
    }

    private @Nullable String seal(Manifest manifest) {
        return vault.map(keys -> Optional.ofNullable(manifest.requireSeal(keys)))
                .orElse(Optional.of("The seal was not checked, as no master key was named."))
                .orElse(null);
    }
}
