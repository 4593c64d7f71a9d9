package dev.inboxd.server.retention;

import dev.inboxd.base.blob.BlobKey;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Names of blobs on their way from a walk to a look at the rows: those of one organization, a few at a time, so that
 * what is in memory does not grow with the store.
 */
final class OldBlobs {
    private final int most;
    private final BiConsumer<UUID, List<String>> lookUp;
    private final List<String> names = new ArrayList<>();
    private @Nullable UUID organization;

    /**
     * No names yet.
     *
     * @param most names to look up together
     * @param lookUp takes the names of an organization
     */
    OldBlobs(int most, BiConsumer<UUID, List<String>> lookUp) {
        this.most = most;
        this.lookUp = lookUp;
    }

    /** Adds a blob; those of another organization, or enough of this one, are looked up. */
    void add(BlobKey key) {
        if (names.size() == most || !key.organization().equals(organization)) {
            flush();
        }
        organization = key.organization();
        names.add(key.name());
    }

    /** Looks up what was added since. */
    void flush() {
        if (organization != null && !names.isEmpty()) {
            lookUp.accept(organization, List.copyOf(names));
        }
        names.clear();
    }
}
