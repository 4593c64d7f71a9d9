package dev.inboxd.cli.doctor;

import dev.inboxd.config.Settings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Set;

/** Checks the data folder: writable, private, with free space. */
final class DiskCheck {
    private static final double SPARE_MESSAGES = 1.5; // below this, mail is refused with 452 4.3.1
    private static final long LOW_SPACE = 1L << 30;
    private static final Set<PosixFilePermission> OWNER_ONLY =
            Set.of(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE, PosixFilePermission.OWNER_EXECUTE);

    private final DoctorReport findings;

    DiskCheck(DoctorReport findings) {
        this.findings = findings;
    }

    void run(Settings settings) {
        Path folder = settings.dataDirectory();
        Path existing = folder;
        while (existing.getParent() != null && !Files.exists(existing)) {
            existing = existing.getParent();
        }
        String subject = "data folder " + folder;
        if (Files.isDirectory(existing) && Files.isWritable(existing)) {
            findings.ok(subject, "can be written");
        } else {
            findings.fail(
                    subject,
                    "cannot be written, see " + existing,
                    "Make the account that runs inboxd its owner, or set INBOXD_DATA_DIR to another folder");
        }
        try {
            if (existing.equals(folder)) {
                privacy(subject, folder);
            }
            room(
                    Files.getFileStore(existing).getUsableSpace(),
                    settings.policy().maxMessage());
        } catch (IOException | UnsupportedOperationException e) {
            findings.warn("disk", "free space is unknown: " + e.getMessage(), "Monitor it yourself");
        }
    }

    private void privacy(String subject, Path folder) throws IOException {
        if (!OWNER_ONLY.containsAll(Files.getPosixFilePermissions(folder))) {
            findings.warn(subject, "others on this machine can read it", "Run: chmod 700 " + folder);
        }
    }

    private void room(long free, long maxMessage) {
        String words = (free >> 20) + " MiB free";
        if (free <= maxMessage * SPARE_MESSAGES) {
            findings.fail(
                    "disk",
                    words + ", mail would be refused",
                    "Make room, or put INBOXD_DATA_DIR and INBOXD_BLOB_URL elsewhere");
        } else if (free < LOW_SPACE) {
            findings.warn("disk", words, "Make room: mail is refused when it falls below one and a half messages");
        } else {
            findings.ok("disk", words);
        }
    }
}
