package dev.inboxd.base.database.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TarArchiveTest {
    @TempDir
    Path target;

    private final ByteArrayOutputStream archive = new ByteArrayOutputStream();

    @Test
    void filesFoldersAndLinksAreUnpackedWithTheirContent() throws IOException {
        add("bin/", '5', "", "");
        add("bin/tool", '0', "", "x".repeat(700));
        add("bin/alias", '2', "tool", "");
        unpack();
        assertThat(target.resolve("bin/tool")).hasContent("x".repeat(700)).isExecutable();
        assertThat(Files.readSymbolicLink(target.resolve("bin/alias"))).isEqualTo(Path.of("tool"));
    }

    @Test
    void aNameThatLeavesTheFolderIsRefused() {
        add("../outside", '0', "", "x");
        assertThatThrownBy(this::unpack).isInstanceOf(IOException.class).hasMessageContaining("outside");
    }

    @Test
    void aLinkThatLeavesTheFolderIsRefused() {
        add("inside", '2', "/etc/passwd", "");
        assertThatThrownBy(this::unpack).isInstanceOf(IOException.class).hasMessageContaining("outside");
    }

    @Test
    void anArchiveCutShortIsRefused() {
        add("file", '0', "", "x".repeat(2_000));
        byte[] whole = archive.toByteArray();
        archive.reset();
        archive.writeBytes(Arrays.copyOf(whole, 1_000));
        assertThatThrownBy(this::unpack).isInstanceOf(IOException.class);
    }

    @Test
    void anEntryOfAnUnknownKindIsRefused() {
        add("device", '3', "", "");
        assertThatThrownBy(this::unpack).isInstanceOf(IOException.class).hasMessageContaining("device");
    }

    private void unpack() throws IOException {
        archive.writeBytes(new byte[1024]);
        TarArchive.unpack(new ByteArrayInputStream(archive.toByteArray()), target);
    }

    private void add(String name, char type, String link, String content) {
        byte[] bytes = content.getBytes(StandardCharsets.US_ASCII);
        byte[] header = new byte[512];
        put(header, 0, name);
        put(header, 100, "0000755");
        put(header, 124, "%011o".formatted(bytes.length));
        header[156] = (byte) type;
        put(header, 157, link);
        archive.writeBytes(header);
        archive.writeBytes(Arrays.copyOf(bytes, (bytes.length + 511) / 512 * 512));
    }

    private static void put(byte[] header, int offset, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
        System.arraycopy(bytes, 0, header, offset, bytes.length);
    }
}
