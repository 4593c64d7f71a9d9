package dev.inboxd.cli.doctor;

import dev.inboxd.config.Settings;
import dev.inboxd.server.PortAvailability;
import java.net.InetAddress;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Checks that the ports are free, and that other servers can reach the SMTP port. */
final class PortCheck {
    private static final int SMTP = 25;

    private final DoctorReport findings;
    private final @Nullable String running;
    private Predicate<String> unchecked = _ -> false;

    /** @param running process id of the inboxd that uses the same data folder, or null */
    PortCheck(DoctorReport findings, @Nullable String running) {
        this.findings = findings;
        this.running = running;
    }

    void run(Settings settings) {
        run(settings, _ -> false);
    }

    /** @param isWrong whether a setting has no usable value, so that its port is not known */
    void run(Settings settings, Predicate<String> isWrong) {
        Settings.Network network = settings.network();
        unchecked = isWrong;
        port("HTTP", "INBOXD_HTTP_PORT", network.httpBind(), network.httpPort());
        port("SMTP", "INBOXD_SMTP_PORT", network.bind(), network.smtpPort());
        port("submission", "INBOXD_SUBMISSION_PORT", network.bind(), network.submissionPort());
        network.admin()
                .port()
                .ifPresent(port ->
                        port("admin", "INBOXD_ADMIN_PORT", network.admin().bind(), port));
        if (settings.mode() == Settings.Mode.PRODUCTION && network.smtpPort() != SMTP) {
            findings.warn(
                    "SMTP port " + network.smtpPort(),
                    "other servers deliver only to port 25",
                    "Forward port 25 of " + settings.names().mxHost()
                            + " to it, or set INBOXD_SMTP_PORT=25 and grant the process CAP_NET_BIND_SERVICE");
        }
    }

    private void port(String name, String setting, InetAddress address, int port) {
        if (unchecked.test(setting)) {
            findings.skip(name + " port", "not checked, because " + setting + " is wrong");
            return;
        }
        String subject = name + " port " + port + " on " + address.getHostAddress();
        String fault = PortAvailability.fault(address, port);
        if (fault == null) {
            findings.ok(subject, "is free");
        } else if (running != null) {
            findings.ok(subject, "is in use, and inboxd is running (process " + running + ")");
        } else {
            findings.fail(
                    subject, "cannot be used: " + fault, "Stop the process that uses it, or set another in " + setting);
        }
    }
}
