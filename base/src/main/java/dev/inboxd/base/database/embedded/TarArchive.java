package dev.inboxd.base.database.embedded;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/**
 * The part of the tar format (POSIX.1-1988 ustar) that the PostgreSQL archive uses: files, folders and symbolic links
 * with names of up to 255 bytes. Any other entry is an error, so an archive that changed is noticed and never half
 * unpacked.
 */
final class TarArchive {
    private static final int BLOCK = 512;

    // Readable by all: for root, the server may run as another user. The files contain no secrets.
    static final Set<PosixFilePermission> EXECUTABLE = PosixFilePermissions.fromString("rwxr-xr-x");
    static final Set<PosixFilePermission> READABLE = PosixFilePermissions.fromString("rw-r--r--");

    private final InputStream in;
    private final Path target;
    private final byte[] header = new byte[BLOCK];

    private TarArchive(InputStream in, Path target) {
        this.in = in;
        this.target = target;
    }

    /** Unpacks a whole archive into an existing empty folder, which every user may then read. */
    static void unpack(InputStream archive, Path target) throws IOException {
        Files.setPosixFilePermissions(target, EXECUTABLE);
        TarArchive tar = new TarArchive(archive, target.toAbsolutePath().normalize());
        while (tar.nextHeader()) {
            tar.unpackEntry();
        }
    }

    /**
     * Reads the next header.
     *
     * @return false at the block of zeros that ends the archive
     */
    private boolean nextHeader() throws IOException {
        if (in.readNBytes(header, 0, BLOCK) < BLOCK) {
            throw new EOFException("The archive ends in the middle");
        }
        return header[0] != 0;
    }

    private void unpackEntry() throws IOException {
        String prefix = text(345, 155);
        String name = prefix.isEmpty() ? text(0, 100) : prefix + "/" + text(0, 100);
        Path path = inside(target.resolve(name), name);
        long size = octal(124, 12);
        char type = (char) header[156];
        Files.createDirectories(path.resolve("..").normalize());
        switch (type) {
            case '0', '\0' -> writeFile(path, size, (octal(100, 8) & 0111) != 0);
            case '2' -> Files.createSymbolicLink(path, linkTarget(path));
            case '5' -> Files.setPosixFilePermissions(Files.createDirectories(path), EXECUTABLE);
            default -> throw new IOException("Unknown kind of tar entry '" + type + "' at " + name);
        }
    }

    private void writeFile(Path path, long size, boolean executable) throws IOException {
        try (var out = Files.newOutputStream(path)) {
            byte[] buffer = new byte[64 * 1024];
            for (long left = size; left > 0; ) {
                int read = in.read(buffer, 0, (int) Math.min(buffer.length, left));
                if (read < 0) {
                    throw new EOFException("The archive ends inside " + path);
                }
                out.write(buffer, 0, read);
                left -= read;
            }
        }
        in.skipNBytes((BLOCK - size % BLOCK) % BLOCK);
        Files.setPosixFilePermissions(path, executable ? EXECUTABLE : READABLE);
    }

    private Path linkTarget(Path link) throws IOException {
        String to = text(157, 100);
        inside(link.resolve("..").resolve(to), to);
        return Path.of(to);
    }

    private Path inside(Path path, String name) throws IOException {
        Path normal = path.normalize();
        if (!normal.startsWith(target)) {
            throw new IOException("The archive names a place outside of its folder: " + name);
        }
        return normal;
    }

    private String text(int offset, int length) {
        int end = offset;
        while (end < offset + length && header[end] != 0) {
            end++;
        }
        return new String(header, offset, end - offset, StandardCharsets.UTF_8);
    }

    private long octal(int offset, int length) throws IOException {
        String digits = text(offset, length).strip();
        try {
            return digits.isEmpty() ? 0 : Long.parseLong(digits, 8);
        } catch (NumberFormatException e) {
            throw new IOException("A tar header holds the number '" + digits + "'", e);
        }
    }
}
