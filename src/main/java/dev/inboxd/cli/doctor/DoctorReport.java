package dev.inboxd.cli.doctor;

import java.io.PrintStream;

/** What the doctor finds, told as it is found. */
final class DoctorReport {
    private final PrintStream out;
    private boolean healthy = true;

    DoctorReport(PrintStream out) {
        this.out = out;
    }

    void ok(String subject, String words) {
        out.println("ok    " + subject + ": " + words);
    }

    /** What works, and is not as it should be. */
    void warn(String subject, String words, String remedy) {
        out.println("warn  " + subject + ": " + words + ". " + remedy);
    }

    /** What keeps the service from starting or from keeping its word. */
    void fail(String subject, String words, String remedy) {
        healthy = false;
        out.println("FAIL  " + subject + ": " + words + ". " + remedy);
    }

    boolean isHealthy() {
        return healthy;
    }
}
