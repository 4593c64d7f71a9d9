package dev.inboxd.backup;

import dev.inboxd.base.blob.BlobException;
import dev.inboxd.base.blob.BlobKey;
import dev.inboxd.base.io.SortedLines;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The other backups of a place in which one was found damaged. What they name is gone through in the order of the
 * names, so that each part is read once, however many share it, and no list of all is in memory. What is damaged is put
 * aside.
 */
final class OtherBackups implements AutoCloseable {
    /** In front of the numbers of backups, in the order of characters. */
    private static final String DAMAGED = "!";

    /** The backup that was read from its beginning to its end. */
    private static final int FULLY_READ = 0;

    private static final int BLOBS = -1;
    private static final int MOST_SENTENCES = 100;
    private static final int NAMED = 10;

    private final BackupStore store;
    private final Consumer<String> progress;
    private final List<Backup> backups = new ArrayList<>();
    private final SortedLines pages = new SortedLines();
    private final SortedLines parts = new SortedLines();
    private final List<String> sentences = new ArrayList<>();

    private static final class Backup {
        private final BlobKey key;
        /** The rows of its tables by its manifest. */
        private final long[] expected;
        /** The rows that its lists name. */
        private final long[] counted;

        Backup(BlobKey key, List<Manifest.Table> tables) {
            this.key = key;
            this.expected =
                    tables.stream().mapToLong(table -> table.digest().rows()).toArray();
            this.counted = new long[expected.length];
        }
    }

    /** @param progress is told now and then what is being done, for people */
    OtherBackups(BackupStore store, Consumer<String> progress) {
        this.store = store;
        this.progress = progress;
    }

    /** Notes what was found damaged in the backup that was read. */
    void damaged(BlobKey key) {
        parts.add(line(key, DAMAGED));
    }

    /** Adds the backup that was read, first of all; without a manifest when that is damaged. */
    void addChosen(BlobKey key, @Nullable Manifest manifest) {
        add(key, manifest);
    }

    /** Adds another one. */
    void add(BlobKey key, @Nullable Manifest manifest) {
        int number = backups.size();
        List<Manifest.Table> tables = manifest == null ? List.of() : manifest.tables();
        backups.add(new Backup(key, tables));
        for (int i = 0; i < tables.size(); i++) {
            String user = user(number) + " " + i;
            tables.get(i).pages().forEach(page -> pages.add(line(BackupStore.rowKey(page), user)));
        }
        if (manifest != null) {
            String user = user(number) + " " + BLOBS;
            manifest.blobs().pages().forEach(page -> pages.add(line(BackupStore.rowKey(page), user)));
        }
    }

    /**
     * What was found.
     *
     * @param damaged the others that are damaged, in the order in which they were added
     * @param sentences which backups name what is damaged; no more than some
     */
    record Verdict(List<BlobKey> damaged, List<String> sentences) {
        Verdict {
            damaged = List.copyOf(damaged);
            sentences = List.copyOf(sentences);
        }
    }

    /** Reads what the others name and was not read yet. */
    Verdict run() {
        BitSet bad = new BitSet();
        try (SortedLines.Cursor cursor = pages.sorted()) {
            forEachKey(cursor, (key, users) -> readPage(key, users, bad));
        }
        try (SortedLines.Cursor cursor = parts.sorted()) {
            forEachKey(cursor, (key, users) -> readPart(key, users, bad));
        }
        List<BlobKey> damaged = new ArrayList<>();
        for (int i = FULLY_READ + 1; i < backups.size(); i++) {
            if (!bad.get(i)) {
                countRows(i, bad);
            }
            if (bad.get(i)) {
                damaged.add(backups.get(i).key);
            }
        }
        return new Verdict(damaged, sentences);
    }

    /** Goes through the lines of each key. */
    private static void forEachKey(SortedLines.Cursor cursor, BiConsumer<BlobKey, List<String>> sink) {
        @Nullable BlobKey key = null;
        List<String> users = new ArrayList<>();
        for (String line = cursor.next(); line != null; line = cursor.next()) {
            String[] words = line.split(" ", 3);
            BlobKey next = new BlobKey(UUID.fromString(words[0]), words[1]);
            if (key != null && !next.equals(key)) {
                sink.accept(key, List.copyOf(users));
                users.clear();
            }
            key = next;
            users.add(words[2]);
        }
        if (key != null) {
            sink.accept(key, users);
        }
    }

    private void countRows(int number, BitSet bad) {
        Backup backup = backups.get(number);
        for (int i = 0; i < backup.expected.length; i++) {
            if (backup.expected[i] != backup.counted[i]) {
                bad.set(number);
                report("The backup " + backup.key.name() + " names " + backup.counted[i] + " rows of a table, which are"
                        + " not the " + backup.expected[i] + " of its manifest.");
                return;
            }
        }
    }

    private void readPage(BlobKey page, List<String> users, BitSet bad) {
        try {
            StoredList.forEachEntry(store, page.name(), entry -> {
                for (String user : users) {
                    String[] numbers = user.split(" ", 2);
                    int table = Integer.parseInt(numbers[1]);
                    if (table == BLOBS) {
                        BlobEntry blob = BlobEntry.of(entry);
                        parts.add(line(blob.key(), numbers[0] + " " + blob.bytes() + " " + blob.sha256()));
                    } else {
                        ChunkEntry chunk = ChunkEntry.of(entry);
                        backups.get(Integer.parseInt(numbers[0])).counted[table] += chunk.rows();
                        parts.add(line(chunk.key(), numbers[0]));
                    }
                }
            });
        } catch (DamagedException damaged) {
            putAside(page);
            report(page, users, bad);
        }
        progress.accept("checked: lists of all backups");
    }

    private void readPart(BlobKey key, List<String> users, BitSet bad) {
        String digest = null; // the digest of what lies there; empty when it is damaged
        List<String> without = new ArrayList<>();
        for (String user : users) {
            if (user.equals(DAMAGED)) {
                digest = "";
                continue;
            }
            String[] words = user.split(" ", 3);
            String expected = words.length == 1 ? key.name() : words[2];
            if (digest == null) {
                digest = Integer.parseInt(words[0]) == FULLY_READ
                        ? expected
                        : read(key, words.length == 1 ? -1 : Long.parseLong(words[1]), expected);
            }
            if (!expected.equals(digest)) {
                without.add(words[0]);
            }
        }
        report(key, without, bad);
        progress.accept("checked: what other backups name");
    }

    /**
     * The digest of what lies there; empty when it is damaged.
     *
     * @param bytes the length of a blob; -1 for rows, which lie there deflated
     */
    private String read(BlobKey key, long bytes, String expected) {
        boolean isWhole;
        try {
            if (bytes < 0) {
                store.content(key.name());
                isWhole = true;
            } else {
                OptionalLong size = store.blobs().size(key);
                isWhole = size.isPresent()
                        && size.getAsLong() == bytes
                        && Attempts.of(() -> BlobTransfer.digest(store.blobs(), key))
                                .equals(expected);
            }
        } catch (DamagedException | BlobException | UncheckedIOException unreadable) {
            isWhole = false;
        }
        if (isWhole) {
            return expected;
        }
        putAside(key);
        return "";
    }

    private void putAside(BlobKey key) {
        String refused = BackupCheck.refusalToPutAside(store, key);
        if (refused != null) {
            report(refused);
        }
    }

    /** @param users begin with the numbers of the backups that name it */
    private void report(BlobKey key, List<String> users, BitSet bad) {
        BitSet these = new BitSet();
        users.forEach(user -> these.set(Integer.parseInt(user.split(" ", 2)[0])));
        bad.or(these);
        these.clear(FULLY_READ); // its own faults are told already
        if (these.isEmpty() || sentences.size() >= MOST_SENTENCES) {
            return;
        }
        String names = these.stream()
                .limit(NAMED)
                .mapToObj(i -> backups.get(i).key.name())
                .collect(Collectors.joining(", "));
        int more = these.cardinality() - NAMED;
        String path = BackupStore.isOfRows(key) ? BackupStore.path(key.name()) : "blobs/" + key.path();
        report("What is damaged in " + path + " is of the "
                + (these.cardinality() == 1 ? "backup " : "backups ") + names
                + (more > 0 ? " and " + more + " more" : "")
                + " too.");
    }

    private void report(String sentence) {
        if (sentences.size() < MOST_SENTENCES) {
            sentences.add(sentence);
        }
    }

    private static String user(int number) {
        return "%06d".formatted(number);
    }

    private static String line(BlobKey key, String remainder) {
        return key.organization() + " " + key.name() + " " + remainder;
    }

    @Override
    public void close() {
        pages.close();
        parts.close();
    }
}
