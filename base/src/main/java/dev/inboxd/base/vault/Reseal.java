package dev.inboxd.base.vault;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/** Seals with the newest master key what older ones sealed, and counts what each key had sealed. */
public final class Reseal {
    private final Vault vault;
    private final List<Integer> counts;
    private int unopened;

    /** A run with the keys of a vault. */
    Reseal(Vault vault) {
        this.vault = vault;
        this.counts = new ArrayList<>(Collections.nCopies(vault.keys(), 0));
    }

    /**
     * Counts sealed bytes.
     *
     * @return their new form, to be stored in their place; empty when the newest key sealed them, or no key opens them
     */
    public Optional<byte[]> of(String purpose, byte[] sealed) {
        OptionalInt key = vault.keyOf(purpose, sealed);
        if (key.isEmpty()) {
            unopened++;
            return Optional.empty();
        }
        counts.set(key.getAsInt(), counts.get(key.getAsInt()) + 1);
        return key.getAsInt() == 0 ? Optional.empty() : Optional.of(vault.seal(purpose, vault.open(purpose, sealed)));
    }

    /** How many secrets each key had sealed before this run, the newest key first. */
    public List<Integer> counts() {
        return List.copyOf(counts);
    }

    /** How many secrets no key opens. */
    public int unopened() {
        return unopened;
    }
}
