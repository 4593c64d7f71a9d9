package dev.inboxd.backup;

import dev.inboxd.base.blob.BlobKey;
import dev.inboxd.base.io.SortedLines;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Looks at the place of backups before another one is made there, so that nothing damaged counts as there. Chunks of
 * rows are compared by their lengths, as the place lists them, with what the backups noted; what no backup noted is
 * read. Both lists are gone through in the order of their names. A chunk that fails is put aside, and so written again
 * when the installation still has its rows.
 */
final class StoreInspection {
    /** Behind a digest: a list that was read and is what it was. */
    private static final String READ = "read";

    private final BackupStore store;
    private final Consumer<String> report;
    private final SortedLines noted = new SortedLines();
    private final Set<String> pages = new HashSet<>();
    private int faults;

    private StoreInspection(BackupStore store, Consumer<String> report) {
        this.store = store;
        this.report = report;
    }

    /**
     * Looks at all of it.
     *
     * @param report gets a sentence for each fault, for people
     * @return how many faults there were
     */
    static int run(BackupStore store, Consumer<String> report) {
        StoreInspection inspection = new StoreInspection(store, report);
        inspection.dropWhatWasUnreadable();
        for (BlobKey backup : store.all().reversed()) {
            inspection.note(backup);
        }
        inspection.compare();
        inspection.dropWhatWasUnreadable();
        return inspection.faults;
    }

    private void fault(String words) {
        faults++;
        report.accept(words);
    }

    /** What a check could not read lies in its place still, under an empty note aside. */
    private void dropWhatWasUnreadable() {
        store.damaged().walk(aside -> {
            if (aside.bytes() == 0) {
                store.place(aside.key()).delete(aside.key());
                store.damaged().delete(aside.key());
            }
        });
    }

    private void note(BlobKey backup) {
        try {
            Manifest manifest = store.manifest(backup);
            Set<String> before = Set.copyOf(pages); // a later backup's, most of them the same
            pages.clear();
            manifest.tables().forEach(table -> table.pages().forEach(page -> note(page, before, true)));
            manifest.blobs().pages().forEach(page -> note(page, before, false));
        } catch (DamagedException damaged) {
            fault(damaged.getMessage() + " It is put aside.");
            store.putAside(store.manifests(), backup);
        } catch (BackupException later) {
            report.accept(String.valueOf(later.getMessage()));
        }
    }

    private void note(String page, Set<String> before, boolean isOfChunks) {
        pages.add(page);
        if (before.contains(page)) {
            return;
        }
        try {
            StoredList.forEachEntry(store, page, line -> {
                if (isOfChunks) {
                    ChunkEntry entry = ChunkEntry.of(line);
                    noted.add(entry.sha256() + " " + (entry.stored() == 0 ? "" : entry.stored()));
                }
            });
            noted.add(page + " " + READ);
        } catch (DamagedException damaged) {
            fault(String.valueOf(damaged.getMessage()));
            store.putAside(store.rows(), BackupStore.rowKey(page));
        }
    }

    private void compare() {
        try (noted;
                SortedLines listed = new SortedLines()) {
            store.rows().walk(stored -> listed.add(stored.key().name() + " " + stored.bytes()));
            try (SortedLines.Cursor notedCursor = noted.sorted();
                    SortedLines.Cursor listedCursor = listed.sorted()) {
                @Nullable String note = notedCursor.next();
                for (String line = listedCursor.next(); line != null; line = listedCursor.next()) {
                    String sha256 = name(line);
                    while (note != null && name(note).compareTo(sha256) < 0) {
                        note = notedCursor.next();
                    }
                    Notes notes = new Notes();
                    while (note != null && name(note).equals(sha256)) {
                        notes.add(remainder(note));
                        note = notedCursor.next();
                    }
                    check(sha256, remainder(line), notes);
                }
            }
        }
    }

    /** What backups say of one chunk. */
    private static final class Notes {
        private boolean isRead;
        private final Set<String> lengths = new HashSet<>();

        void add(String note) {
            isRead |= note.equals(READ);
            if (!note.isEmpty()) {
                lengths.add(note);
            }
        }
    }

    private void check(String sha256, String length, Notes notes) {
        if (notes.isRead || notes.lengths.contains(length)) {
            return;
        }
        if (notes.lengths.isEmpty()) {
            try {
                store.content(sha256);
                return;
            } catch (DamagedException damaged) {
                fault(String.valueOf(damaged.getMessage()));
            }
        } else {
            fault("The backup is damaged: " + BackupStore.path(sha256) + " has " + length + " octets, and was written"
                    + " with " + String.join(" or ", List.copyOf(notes.lengths)) + ".");
        }
        store.putAside(store.rows(), BackupStore.rowKey(sha256));
    }

    private static String name(String line) {
        return line.substring(0, line.indexOf(' '));
    }

    private static String remainder(String line) {
        return line.substring(line.indexOf(' ') + 1);
    }
}
