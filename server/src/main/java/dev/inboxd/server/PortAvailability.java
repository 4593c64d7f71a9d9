package dev.inboxd.server;

import dev.inboxd.config.Settings;
import dev.inboxd.config.SettingsException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Ports, tried by opening and closing them. */
public final class PortAvailability {
    private PortAvailability() {}

    /** Why this port cannot be had; null when it is free. */
    public static @Nullable String fault(InetAddress address, int port) {
        try (ServerSocket socket = new ServerSocket(port, 1, address)) {
            return socket.isBound() ? null : "it cannot be opened";
        } catch (IOException refused) {
            return refused.getMessage();
        }
    }

    /**
     * Refuses a start that would fail over its ports only after the first key is made: nobody would ever see that key.
     *
     * @throws SettingsException naming every setting whose port cannot be had
     */
    public static void require(Settings.Network network) {
        List<String> faults = new ArrayList<>();
        foreign("INBOXD_BIND", network.bind(), faults);
        if (network.admin().port().isPresent()) {
            foreign("INBOXD_ADMIN_BIND", network.admin().bind(), faults);
        }
        if (!faults.isEmpty()) {
            throw new SettingsException(faults);
        }
        require(faults, "INBOXD_HTTP_PORT", network.httpBind(), network.httpPort());
        require(faults, "INBOXD_SMTP_PORT", network.bind(), network.smtpPort());
        require(faults, "INBOXD_SUBMISSION_PORT", network.bind(), network.submissionPort());
        network.admin()
                .port()
                .ifPresent(port ->
                        require(faults, "INBOXD_ADMIN_PORT", network.admin().bind(), port));
        if (!faults.isEmpty()) {
            throw new SettingsException(faults);
        }
    }

    /** Adds a fault when no port at all can be had on the address: it is another machine's. */
    private static void foreign(String setting, InetAddress address, List<String> faults) {
        String fault = fault(address, 0);
        if (fault != null) {
            faults.add(setting + " is " + address.getHostAddress() + ", at which this machine cannot listen: " + fault
                    + ". Name an address of this machine; 127.0.0.1 is for this machine alone, 0.0.0.0 means all"
                    + " that it has");
        }
    }

    private static void require(List<String> faults, String setting, InetAddress address, int port) {
        String fault = fault(address, port);
        if (fault != null) {
            faults.add(setting + " is " + port + ", which cannot be had on " + address.getHostAddress() + ": " + fault
                    + ". Stop what uses it, or choose another, 0 for any free one");
        }
    }
}
