package dev.inboxd.base.blob;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.inboxd.base.error.ErrorCode;
import dev.inboxd.base.error.Problem;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class FileBlobsTest implements BlobsContract {
    private static final BlobKey KEY = new BlobKey(new UUID(1, 2), "ab54d286474f9f83");

    @TempDir
    private Path folder;

    private Blobs blobs;

    @BeforeEach
    void open() {
        blobs = Blobs.at(folder.resolve("deep/below").toUri().toString());
    }

    @Override
    public Blobs blobs() {
        return blobs;
    }

    @Test
    void aBlobLiesInTheFolderOfItsOrganization() throws IOException {
        blobs.put(KEY, new ByteArrayInputStream("x".getBytes(UTF_8)), 1);
        assertThat(folder.resolve("deep/below/00000000-0000-0001-0000-000000000002/ab/ab54d286474f9f83"))
                .hasContent("x");
        assertThat(incoming()).isEmpty();
    }

    @Test
    void aSourceThatFailsLeavesNothing() throws IOException {
        InputStream failing = InputStream.nullInputStream();
        failing.close();
        assertThatThrownBy(() -> blobs.put(KEY, failing, 5))
                .isInstanceOfSatisfying(
                        Problem.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.SERVICE_UNAVAILABLE));
        assertThat(incoming()).isEmpty();
    }

    /** As when two processes, or two threads, make the same folder: only one of them has synced it so far. */
    @Test
    void aFolderThatAnotherMadeIsSyncedBeforeABlobInItCounts() throws IOException {
        Path root = folder.resolve("deep/below").toRealPath();
        Path organization = root.resolve("00000000-0000-0001-0000-000000000002");
        Files.createDirectories(organization.resolve("ab"));
        List<Path> synced = new ArrayList<>();
        Blobs late = new FileBlobs(root, synced::add);
        synced.clear();
        late.put(KEY, new ByteArrayInputStream("x".getBytes(UTF_8)), 1);
        assertThat(synced).containsExactly(root, organization, organization.resolve("ab"));
        synced.clear();
        late.put(new BlobKey(KEY.organization(), KEY.name() + "00"), new ByteArrayInputStream("x".getBytes(UTF_8)), 1);
        assertThat(synced).as("what is known to be durable").containsExactly(organization.resolve("ab"));
    }

    @Test
    void whatACrashLeftIsClearedAfterADayAndNeverVisited() throws IOException {
        Path fresh = Files.createFile(folder.resolve("deep/below/incoming/fresh"));
        Path old = Files.createFile(folder.resolve("deep/below/incoming/old"));
        FileTime now = Files.getLastModifiedTime(old);
        Files.setLastModifiedTime(old, FileTime.from(now.toInstant().minus(Duration.ofHours(25))));
        open();
        assertThat(old).doesNotExist();
        assertThat(fresh).exists();
        List<StoredBlob> visited = new ArrayList<>();
        blobs.walk(visited::add);
        assertThat(visited).isEmpty();
    }

    @Test
    void strangersInTheFolderAreNotVisited() throws IOException {
        Files.createFile(folder.resolve("deep/below/README"));
        Path wrong = Files.createDirectories(folder.resolve("deep/below/00000000-0000-0001-0000-000000000002/ff"));
        Files.createFile(wrong.resolve("ab54d286474f9f83"));
        blobs.walk(blob -> {
            throw new AssertionError(blob);
        });
    }

    @Test
    void aKeyIsNeverAPath() {
        for (String name : List.of("", "../../etc/passwd", "ABCDEF0123", "abc", "ab/cdef0123", "0".repeat(129))) {
            assertThatIllegalArgumentException().isThrownBy(() -> new BlobKey(new UUID(1, 2), name));
        }
    }

    @Test
    void aFolderThatCannotBeMadeIsSaidAtTheStart() throws IOException {
        Path file = Files.createFile(folder.resolve("file"));
        assertThatThrownBy(() -> Blobs.at(file.resolve("blobs").toString()))
                .isInstanceOf(UncheckedIOException.class)
                .hasMessageContaining("cannot be used");
    }

    private List<Path> incoming() throws IOException {
        try (Stream<Path> files = Files.list(folder.resolve("deep/below/incoming"))) {
            return files.toList();
        }
    }
}
