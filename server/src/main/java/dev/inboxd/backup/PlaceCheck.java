package dev.inboxd.backup;

import dev.inboxd.base.blob.BlobKey;
import dev.inboxd.base.vault.Vault;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
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
     * @param sentences one for each fault, and which other backups have it; no more than some
     * @param hint what is to be known beside faults, or null
     * @param lastGood this backup when it has no faults, else the newest one without; null when there is none
     * @param damaged the ids of the other backups that have faults, the newest first; none when this one has none, as
     *     they were not looked at
     */
    public record Verdict(
            String id,
            @Nullable Manifest manifest,
            long faults,
            List<String> sentences,
            @Nullable String hint,
            @Nullable Manifest lastGood,
            List<String> damaged) {
        public Verdict {
            sentences = List.copyOf(sentences);
            damaged = List.copyOf(damaged);
        }
    }

    /**
     * Checks a backup. When it is damaged, the others are looked at too: what several backups name is read once.
     *
     * @param id of the backup; empty: the newest one
     * @param rule which backups without a seal have a fault
     * @throws BackupException when there is no such backup
     */
    public Verdict run(String id, SealRule rule) {
        List<BlobKey> all = store.all().reversed();
        BlobKey chosen = all.stream()
                .filter(key -> id.isEmpty() || key.name().equals(id))
                .findFirst()
                .orElseThrow(() -> BackupStore.none(id));
        Seals seals = new Seals(store, vault, rule);
        try (OtherBackups others = new OtherBackups(store, progress)) {
            Verdict verdict = check(chosen, seals, others);
            return verdict.faults == 0 ? verdict : beside(verdict, all, seals, others);
        }
    }

    private Verdict check(BlobKey key, Seals seals, OtherBackups others) {
        List<String> sentences = new ArrayList<>();
        @Nullable Manifest manifest = null;
        @Nullable String hint = null;
        long faults = 0;
        try {
            manifest = store.manifest(key);
            hint = seals.hint(manifest);
        } catch (DamagedException damaged) {
            sentences.add(String.valueOf(damaged.getMessage()));
        }
        faults += sentences.size();
        if (manifest != null) {
            BackupCheck.Faults backupFaults = new BackupCheck(store, manifest, progress, others::damaged).faults();
            faults += backupFaults.count();
            sentences.addAll(backupFaults.sentences());
        }
        others.addChosen(key, manifest);
        return new Verdict(key.name(), manifest, faults, sentences, hint, faults == 0 ? manifest : null, List.of());
    }

    private Verdict beside(Verdict verdict, List<BlobKey> all, Seals seals, OtherBackups others) {
        Set<BlobKey> bad = new HashSet<>();
        for (BlobKey key : all) {
            if (key.name().equals(verdict.id)) {
                continue;
            }
            try {
                Manifest manifest = store.manifest(key);
                seals.hint(manifest);
                others.add(key, manifest);
            } catch (BackupException unusable) {
                bad.add(key);
            }
        }
        OtherBackups.Verdict otherVerdict = others.run();
        bad.addAll(otherVerdict.damaged());
        List<String> sentences = new ArrayList<>(verdict.sentences);
        sentences.addAll(otherVerdict.sentences());
        @Nullable
        Manifest good = all.stream()
                .filter(key -> !bad.contains(key) && !key.name().equals(verdict.id))
                .findFirst()
                .map(store::manifest)
                .orElse(null);
        return new Verdict(
                verdict.id,
                verdict.manifest,
                verdict.faults,
                sentences,
                verdict.hint,
                good,
                all.stream().filter(bad::contains).map(BlobKey::name).toList());
    }
}
