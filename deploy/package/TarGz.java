import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveOutputStream;
import org.apache.commons.compress.archivers.tar.TarConstants;

/** A compressed tar archive that is the same for the same content: one order, one time, one owner, two modes. */
final class TarGz {
    private static final int FOLDER_OR_PROGRAM = 0755;
    private static final int FILE = 0644;

    private TarGz() {}

    /**
     * Archives a folder with its name.
     *
     * @param seconds the time of every entry, since 1970
     */
    static void write(Path folder, Path archive, long seconds) throws IOException {
        try (OutputStream file = new BufferedOutputStream(Files.newOutputStream(archive));
                TarArchiveOutputStream tar = new TarArchiveOutputStream(new GZIPOutputStream(file, 65_536), "UTF-8");
                Stream<Path> all = Files.walk(folder)) {
            tar.setLongFileMode(TarArchiveOutputStream.LONGFILE_POSIX);
            for (Path each : all.sorted().toList()) {
                String name = folder.getParent().relativize(each).toString();
                TarArchiveEntry entry = entry(each, name);
                entry.setModTime(FileTime.fromMillis(1000 * seconds));
                entry.setIds(0, 0);
                entry.setNames("root", "root");
                tar.putArchiveEntry(entry);
                if (entry.isFile() && !entry.isSymbolicLink()) {
                    Files.copy(each, tar);
                }
                tar.closeArchiveEntry();
            }
        }
    }

    private static TarArchiveEntry entry(Path file, String name) throws IOException {
        if (Files.isSymbolicLink(file)) {
            TarArchiveEntry link = new TarArchiveEntry(name, TarConstants.LF_SYMLINK);
            link.setLinkName(Files.readSymbolicLink(file).toString());
            return link;
        }
        boolean folder = Files.isDirectory(file, LinkOption.NOFOLLOW_LINKS);
        TarArchiveEntry entry = new TarArchiveEntry(folder ? name + "/" : name);
        entry.setMode(folder || Files.isExecutable(file) && hasExecutableBit(file) ? FOLDER_OR_PROGRAM : FILE);
        if (!folder) {
            entry.setSize(Files.size(file));
        }
        return entry;
    }

    private static boolean hasExecutableBit(Path file) throws IOException {
        return Files.getPosixFilePermissions(file).stream()
                .anyMatch(each -> each.name().endsWith("_EXECUTE"));
    }
}
