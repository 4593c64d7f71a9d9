package dev.inboxd.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.inboxd.config.AdminSettings;
import dev.inboxd.config.Settings;
import dev.inboxd.config.SettingsException;
import dev.inboxd.smtp.server.UpstreamProxies;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

class PortAvailabilityTest {
    private static final InetAddress LOOPBACK = InetAddress.getLoopbackAddress();

    @Test
    void everyTakenPortIsNamedWithItsSetting() throws IOException {
        try (ServerSocket taken = new ServerSocket(0, 1, LOOPBACK)) {
            int port = taken.getLocalPort();
            assertThatThrownBy(() -> PortAvailability.require(network(port, port, port)))
                    .isInstanceOf(SettingsException.class)
                    .hasMessageContainingAll(
                            "3 settings",
                            "INBOXD_HTTP_PORT is " + port,
                            "INBOXD_SMTP_PORT is " + port,
                            "INBOXD_ADMIN_PORT is " + port);
        }
    }

    @Test
    void anAddressOfAnotherMachineIsNamedOnceWhateverThePorts() {
        InetAddress foreign = InetAddress.ofLiteral("203.0.113.7"); // RFC 5737: nobody has it
        assertThatThrownBy(() -> PortAvailability.require(network(foreign, 0, 0, 0)))
                .hasMessageContainingAll("1 setting", "INBOXD_BIND is 203.0.113.7", "an address of this machine")
                .hasMessageNotContaining("PORT");
    }

    @Test
    void freePortsStayFree() {
        PortAvailability.require(network(0, 0, 0));
        assertThat(PortAvailability.fault(LOOPBACK, 0)).isNull();
    }

    private static Settings.Network network(int http, int smtp, int admin) {
        return network(LOOPBACK, http, smtp, admin);
    }

    private static Settings.Network network(InetAddress bind, int http, int smtp, int admin) {
        return new Settings.Network(
                bind,
                bind,
                http,
                smtp,
                0,
                List.of(),
                UpstreamProxies.Mode.OFF,
                List.of(),
                Duration.ofSeconds(75),
                new AdminSettings(LOOPBACK, OptionalInt.of(admin), List.of(), Optional.empty()));
    }
}
