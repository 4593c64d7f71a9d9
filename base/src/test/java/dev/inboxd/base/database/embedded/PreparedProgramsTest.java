package dev.inboxd.base.database.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code inboxd prepare} unpacked serves later data folders, and harms none. */
class PreparedProgramsTest {
    private static final String PROPERTY = "inboxd.programs";

    @TempDir
    Path folder;

    private Path kept;

    @BeforeEach
    void keep() throws IOException {
        kept = folder.resolve("kept");
        Files.createDirectories(kept.resolve("unpacking-killed"));
        PostgresPrograms.unpack(TestServers.PROGRAMS);
        System.setProperty(PROPERTY, TestServers.PROGRAMS.toString());
        PostgresPrograms.unpack(kept); // a copy, as unpacking each time would take long
        System.setProperty(PROPERTY, kept.toString());
        Files.writeString(PostgresPrograms.in(kept).resolve("mark"), "");
    }

    @AfterEach
    void forget() {
        System.clearProperty(PROPERTY);
    }

    @Test
    @Tag("long")
    void aDataFolderGetsThemAsTheyWereUnpackedWithModesAndLinks() throws IOException {
        List<String> copied = described(unpacked());
        assertThat(copied).contains("mark rw-r--r-- 0").hasSizeGreaterThan(100);
        assertThat(described(PostgresPrograms.in(kept))).isEqualTo(copied);
        System.clearProperty(PROPERTY);
        Path own = PostgresPrograms.unpack(folder.resolve("own")).folder();
        assertThat(described(own)).isEqualTo(without(copied));
    }

    @Test
    void theyAreKeptOnceAndWhatAKillLeftGoes() throws IOException {
        PreparedPrograms.keep();
        assertThat(PostgresPrograms.in(kept).resolve("mark")).exists();
        try (Stream<Path> names = Files.list(kept)) {
            assertThat(names.map(name -> name.getFileName().toString()))
                    .containsExactlyInAnyOrder("lock", "postgres-" + PostgresPrograms.VERSION);
        }
    }

    @Test
    @Tag("long")
    void programsThatCannotBeCopiedArePassedOver() throws IOException {
        try (ServerSocketChannel socket = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            socket.bind(UnixDomainSocketAddress.of(PostgresPrograms.in(kept).resolve("zzz")));
            assertThat(described(unpacked())).noneMatch(name -> name.startsWith("mark"));
        }
    }

    @Test
    @Tag("long")
    void programsThatAreNotCompleteArePassedOver() throws IOException {
        Files.delete(PostgresPrograms.in(kept).resolve("bin").resolve("initdb"));
        assertThat(described(unpacked())).noneMatch(name -> name.startsWith("mark"));
    }

    @Test
    @Tag("long")
    void programsThatAnotherAccountMayChangeArePassedOver() throws IOException {
        assumeTrue("root".equals(System.getProperty("user.name")), "only root can give a file away");
        Path library;
        try (Stream<Path> files = Files.walk(PostgresPrograms.in(kept).resolve("lib"))) {
            library = files.filter(Files::isRegularFile).findFirst().orElseThrow();
        }
        Files.setOwner(
                library, library.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName("nobody"));
        assertThat(described(unpacked())).noneMatch(name -> name.startsWith("mark"));
    }

    private Path unpacked() {
        Path programs = PostgresPrograms.unpack(folder.resolve("data")).folder();
        assertThat(programs.resolve("bin").resolve("initdb")).isExecutable();
        return programs;
    }

    private static List<String> without(List<String> described) {
        return described.stream().filter(name -> !name.startsWith("mark")).toList();
    }

    private static List<String> described(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.map(file -> described(folder, file)).sorted().toList();
        }
    }

    private static String described(Path folder, Path file) {
        try {
            String name = folder.relativize(file) + " "
                    + PosixFilePermissions.toString(Files.getPosixFilePermissions(file, LinkOption.NOFOLLOW_LINKS));
            if (Files.isSymbolicLink(file)) {
                return name + " -> " + Files.readSymbolicLink(file);
            }
            return Files.isDirectory(file) ? name : name + " " + Files.size(file);
        } catch (IOException failure) {
            throw new IllegalStateException(failure);
        }
    }
}
