package dev.inboxd.cli.doctor;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.TimeUnit;

/** Checks the clock of this machine: signatures, codes and links depend on it, here and on other servers. */
final class ClockCheck {
    private static final Duration TOLERANCE = Duration.ofMinutes(1);
    private static final long TIMEOUT_SECONDS = 5;

    private final DoctorReport findings;
    private final InstantSource clock;

    ClockCheck(DoctorReport findings, InstantSource clock) {
        this.findings = findings;
        this.clock = clock;
    }

    /** @param data the data folder; the time of its lock file shows when inboxd ran last */
    void run(Path data) {
        Instant now = clock.instant();
        Instant last = lastWrite(data.resolve("lock"));
        if (last.isAfter(now.plus(TOLERANCE))) {
            findings.fail(
                    "clock",
                    "it is behind: now " + now + ", inboxd last ran at " + last,
                    "Set the clock, and synchronize it with chrony or systemd-timesyncd");
            return;
        }
        switch (synchronization()) {
            case "yes" -> findings.ok("clock", "is synchronized over the network");
            case "no" ->
                findings.warn(
                        "clock",
                        "is not synchronized over the network",
                        "Run chrony or systemd-timesyncd: signatures and one-time codes depend on the time");
            default -> findings.ok("clock", now + "; synchronization is unknown on this machine");
        }
    }

    private static Instant lastWrite(Path file) {
        try {
            return Files.getLastModifiedTime(file).toInstant();
        } catch (IOException neverRan) {
            return Instant.EPOCH;
        }
    }

    /** What systemd reports: {@code yes}, {@code no}, or an empty text where there is no systemd. */
    private static String synchronization() {
        try {
            Process process = new ProcessBuilder("timedatectl", "show", "-p", "NTPSynchronized", "--value")
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            if (!process.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS)) {
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
