package dev.inboxd.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** A file system of a few megabytes over a folder, whose files are out of sight meanwhile. Only root can make one. */
public final class SmallDisk implements AutoCloseable {
    private static final byte[] BLOCK = new byte[4096];

    private final Path folder;

    private SmallDisk(Path folder) {
        this.folder = folder;
    }

    /** Mounts one of that size, in KiB; a test that is not run by root ends here. */
    public static SmallDisk over(Path folder, int size) throws IOException {
        assumeTrue((Integer) Files.getAttribute(Path.of("/proc/self"), "unix:uid") == 0, "not root");
        Files.createDirectories(folder);
        run("mount", "-t", "tmpfs", "-o", "mode=700,size=" + size + "k", "tmpfs", folder.toString());
        return new SmallDisk(folder);
    }

    /** Writes to it until nothing more goes. */
    public void fill() throws IOException {
        try (OutputStream filler = Files.newOutputStream(filler())) {
            while (true) {
                filler.write(BLOCK);
            }
        } catch (IOException full) {
            assertThat(full).hasMessageContaining("No space left");
        }
    }

    /** Takes away what {@link #fill} wrote. */
    public void empty() throws IOException {
        Files.delete(filler());
    }

    private Path filler() {
        return folder.resolve("filler");
    }

    @Override
    public void close() throws IOException {
        run("umount", "--lazy", folder.toString());
    }

    private static void run(String... command) throws IOException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.onExit().join().exitValue()).as(said).isZero();
    }
}
