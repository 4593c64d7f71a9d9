package dev.inboxd;

import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalInt;

/** {@code inboxd doctor}: says with which settings a start would run, and what would keep it from starting. */
final class Doctor {
    private static final double SPARE_MESSAGES = 1.5; // below it mail is refused with 452 4.3.1

    private final PrintStream out;
    private boolean healthy = true;

    private Doctor(PrintStream out) {
        this.out = out;
    }

    /** Prints settings and checks; 0 when all is well, 1 otherwise. */
    static int examine(SettingValues values, PrintStream out) {
        for (Setting<?> setting : SettingTable.ALL) {
            String origin = values.isGiven(setting) ? "" : "  (default)";
            out.printf("%-27s %s%s%n", setting.variable(), values.shown(setting), origin);
        }
        out.println();
        Settings settings = SettingsReader.read(values);
        Doctor doctor = new Doctor(out);
        doctor.dataFolder(settings.dataDirectory(), settings.policy().maxMessage());
        Settings.Network network = settings.network();
        doctor.port("HTTP", network.bind(), network.httpPort());
        doctor.port("SMTP", network.bind(), network.smtpPort());
        doctor.port("submission", network.bind(), network.submissionPort());
        doctor.adminPort(network.adminPort());
        return doctor.healthy ? 0 : 1;
    }

    private void dataFolder(Path folder, long maxMessage) {
        Path existing = folder;
        while (existing.getParent() != null && !Files.exists(existing)) {
            existing = existing.getParent();
        }
        say(Files.isDirectory(existing) && Files.isWritable(existing), "data folder " + folder, "can be written",
                "cannot be written, see " + existing);
        try {
            long free = Files.getFileStore(existing).getUsableSpace();
            say(free > maxMessage * SPARE_MESSAGES, "disk", (free >> 20) + " MiB free", (free >> 20) + " MiB free, mail"
                    + " would be refused");
        } catch (IOException e) {
            say(false, "disk", "", "free space cannot be read: " + e.getMessage());
        }
    }

    private void adminPort(OptionalInt port) {
        if (port.isPresent()) {
            port("admin", InetAddress.getLoopbackAddress(), port.getAsInt());
        }
    }

    private void port(String name, InetAddress address, int port) {
        String subject = name + " port " + port + " on " + address.getHostAddress();
        String fault = Ports.fault(address, port);
        say(fault == null, subject, "is free", "cannot be used, maybe inboxd is running: " + fault);
    }

    private void say(boolean well, String subject, String when, String otherwise) {
        healthy &= well;
        out.println((well ? "ok    " : "FAIL  ") + subject + ": " + (well ? when : otherwise));
    }
}
