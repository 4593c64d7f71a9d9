package dev.inboxd.cli.doctor;

import java.io.PrintStream;

/** Prints the results of the checks. */
final class DoctorReport {
    private final PrintStream out;
    private boolean healthy = true;

    DoctorReport(PrintStream out) {
        this.out = out;
    }

    void ok(String subject, String words) {
        out.println("ok    " + subject + ": " + words);
    }

    /** Reports a problem that does not prevent a start. */
    void warn(String subject, String words, String remedy) {
        out.println("warn  " + subject + ": " + words + ". " + remedy);
    }

    /** Reports a problem that prevents a start or endangers stored mail. */
    void fail(String subject, String words, String remedy) {
        healthy = false;
        out.println("FAIL  " + subject + ": " + words + ". " + remedy);
    }

    /** Reports a check that was not made. */
    void skip(String subject, String words) {
        out.println("skip  " + subject + ": " + words);
    }

    boolean isHealthy() {
        return healthy;
    }
}
