package dev.inboxd.cli.doctor;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.TimeUnit;

/** Whether this machine knows the time: signatures, codes and links are judged by it, here and elsewhere. */
final class ClockCheck {
    private static final Duration TOLERANCE = Duration.ofMinutes(1);
    private static final long PATIENCE_SECONDS = 5;

    private final DoctorReport findings;
    private final InstantSource clock;

    ClockCheck(DoctorReport findings, InstantSource clock) {
        this.findings = findings;
        this.clock = clock;
    }

    /** @param data the folder whose files tell when inboxd ran last */
    void run(Path data) {
        Instant now = clock.instant();
        Instant last = lastWrite(data.resolve("lock"));
        if (last.isAfter(now.plus(TOLERANCE))) {
            findings.fail(
                    "clock",
                    "it says " + now + ", and inboxd has run at " + last,
                    "Set the clock, and keep it right with chrony or systemd-timesyncd");
            return;
        }
        switch (synchronization()) {
            case "yes" -> findings.ok("clock", "is kept right over the network");
            case "no" ->
                findings.warn(
                        "clock",
                        "is not kept right over the network",
                        "Run chrony or systemd-timesyncd: signatures and one-time codes go by the time");
            default -> findings.ok("clock", now + "; whether it is kept right cannot be told here");
        }
    }

    private static Instant lastWrite(Path file) {
        try {
            return Files.getLastModifiedTime(file).toInstant();
        } catch (IOException neverRan) {
            return Instant.EPOCH;
        }
    }

    /** What systemd knows of it: yes, no, or nothing where there is no systemd. */
    private static String synchronization() {
        try {
            Process process = new ProcessBuilder("timedatectl", "show", "-p", "NTPSynchronized", "--value")
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                return "";
            }
            return new String(process.getInputStream().readAllBytes(), StandardCharsets.US_ASCII).strip();
        } catch (IOException none) {
            return "";
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            return "";
        }
    }
}
