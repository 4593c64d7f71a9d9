package dev.inboxd.base.blob;

import dev.inboxd.base.blob.BlobException.Kind;
import dev.inboxd.base.io.FileFailure;
import java.io.ByteArrayInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.Iterator;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** Blobs as files in one folder, which several nodes may share. */
final class FileBlobs implements Blobs {
    private static final Duration ABANDONED = Duration.ofDays(1);

    /** Maximum number of folders remembered as durable; a forgotten one costs another sync. */
    private static final int REMEMBERED = 10_000;

    private final Path root;
    private final Path incoming;
    private final Sync sync;
    private final Set<Path> durable = ConcurrentHashMap.newKeySet();

    /** Makes the entries of a folder durable. */
    @FunctionalInterface
    interface Sync {
        void force(Path folder) throws IOException;
    }

    /** Opens the folder, creates it if need be, and deletes the unfinished files of a crash. */
    FileBlobs(Path root) {
        this(root, FileBlobs::force);
    }

    FileBlobs(Path root, Sync sync) {
        this.sync = sync;
        this.root = root.toAbsolutePath().normalize();
        this.incoming = this.root.resolve("incoming");
        try {
            createDurably(incoming);
            clearAbandoned();
        } catch (IOException e) {
            throw new UncheckedIOException("The blob folder " + root + " cannot be used: " + FileFailure.words(e), e);
        }
    }

    @Override
    public void put(BlobKey key, InputStream content, long size) {
        Path file = root.resolve(key.path());
        try {
            // Also for an existing blob: its writer may not have synced yet.
            createDurably(parent(file));
            if (!Files.exists(file)) {
                store(content, size, file);
            }
            sync.force(parent(file));
        } catch (IOException e) {
            throw BlobOutage.of("A blob cannot be written", e);
        }
    }

    @Override
    public InputStream open(BlobKey key, long offset, long length) {
        try {
            FileChannel channel = FileChannel.open(root.resolve(key.path()), StandardOpenOption.READ);
            return new FileRange(channel, offset, length);
        } catch (NoSuchFileException e) {
            throw BlobException.missing(e);
        } catch (IOException e) {
            throw BlobOutage.of("A blob cannot be read", e);
        }
    }

    @Override
    public OptionalLong size(BlobKey key) {
        try {
            return OptionalLong.of(Files.size(root.resolve(key.path())));
        } catch (NoSuchFileException none) {
            return OptionalLong.empty();
        } catch (IOException e) {
            throw BlobOutage.of("A blob cannot be looked at", e);
        }
    }

    @Override
    public void delete(BlobKey key) {
        try {
            Files.deleteIfExists(root.resolve(key.path()));
        } catch (IOException e) {
            BlobOutage.rethrow(key, e);
        }
    }

    @Override
    public void walk(Consumer<StoredBlob> visitor) {
        try {
            Files.walkFileTree(root, new SimpleFileVisitor<>() {
                @Override
                public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
                    return folder.equals(incoming) ? FileVisitResult.SKIP_SUBTREE : FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                    visit(file, attributes, visitor);
                    return FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult visitFileFailed(Path file, IOException e) throws IOException {
                    if (e instanceof NoSuchFileException) { // deleted during the walk
                        return FileVisitResult.CONTINUE;
                    }
                    throw e;
                }
            });
        } catch (IOException e) {
            throw BlobOutage.of("The blobs cannot be listed", e);
        }
    }

    @Override
    public Optional<UUID> storeId() {
        try {
            return BlobPaths.storeId(Files.readString(root.resolve(BlobPaths.STORE_ID), StandardCharsets.ISO_8859_1));
        } catch (NoSuchFileException none) {
            return Optional.empty();
        } catch (IOException e) {
            throw BlobOutage.of("The id of the store cannot be read", e);
        }
    }

    @Override
    public void writeStoreId(UUID id) {
        byte[] content = (id + "\n").getBytes(StandardCharsets.US_ASCII);
        try {
            store(new ByteArrayInputStream(content), content.length, root.resolve(BlobPaths.STORE_ID));
            sync.force(root);
        } catch (IOException e) {
            throw BlobOutage.of("The id of the store cannot be written", e);
        }
    }

    @Override
    public void close() {
        // No file is open between calls.
    }

    private void store(InputStream content, long size, Path file) throws IOException {
        Path half = incoming.resolve(UUID.randomUUID().toString());
        try {
            // Not a channel: an interrupt of the thread would close it.
            try (FileOutputStream out = new FileOutputStream(half.toFile())) {
                long written = content.transferTo(out);
                if (written != size) {
                    throw new BlobException(Kind.SIZE, written + " octets came, " + size + " were announced.", null);
                }
                out.getFD().sync();
            }
            Files.move(half, file, StandardCopyOption.ATOMIC_MOVE);
        } finally {
            Files.deleteIfExists(half);
        }
    }

    /**
     * Creates the folder and its parents, each entry durable before the next one is used. An existing folder is synced
     * too: its creator, in this or another process, may not have synced it yet.
     */
    private void createDurably(Path folder) throws IOException {
        boolean isOurs = folder.startsWith(root) && !folder.equals(root);
        if (Files.isDirectory(folder) && (!isOurs || durable.contains(folder))) {
            return;
        }
        createDurably(parent(folder));
        Files.createDirectories(folder);
        sync.force(parent(folder));
        if (durable.size() >= REMEMBERED) {
            durable.clear();
        }
        durable.add(folder);
    }

    private static void force(Path folder) throws IOException {
        try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }

    private static Path parent(Path path) {
        Path parent = path.getParent();
        if (parent == null) {
            throw new IllegalArgumentException(path + " has no folder above it");
        }
        return parent;
    }

    /** Uses the file system's own clock, which may be another machine's. */
    private void clearAbandoned() throws IOException {
        Path probe = Files.createTempFile(incoming, "start", null);
        FileTime now = Files.getLastModifiedTime(probe);
        Files.delete(probe);
        try (Stream<Path> halves = Files.list(incoming)) {
            Instant limit = now.toInstant().minus(ABANDONED);
            for (Iterator<Path> iterator = halves.iterator(); iterator.hasNext(); ) {
                Path half = iterator.next();
                if (isOlder(half, limit)) {
                    Files.deleteIfExists(half);
                }
            }
        }
    }

    /** Another node may finish or delete its file at any time. */
    private static boolean isOlder(Path half, Instant limit) throws IOException {
        try {
            return Files.getLastModifiedTime(half).toInstant().isBefore(limit);
        } catch (NoSuchFileException vanished) {
            return false;
        }
    }

    private void visit(Path file, BasicFileAttributes attributes, Consumer<StoredBlob> visitor) {
        BlobKey key = BlobPaths.key(root.relativize(file).toString());
        if (key != null) {
            visitor.accept(new StoredBlob(
                    key, attributes.size(), attributes.lastModifiedTime().toInstant()));
        }
    }
}
