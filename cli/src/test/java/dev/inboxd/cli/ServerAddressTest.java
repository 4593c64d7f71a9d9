package dev.inboxd.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Where a key may go in clear text (ruling 150). */
class ServerAddressTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "https://mail.example.com",
                "http://localhost:8080",
                "http://LOCALHOST",
                "http://app.localhost",
                "http://127.0.0.1:8080",
                "http://127.9.9.9",
                "http://[::1]:8080",
                "http://10.1.2.3",
                "http://172.31.0.1",
                "http://192.168.1.1",
                "http://169.254.1.1",
                "http://100.64.0.1",
                "http://[fd00::1]",
                "http://[fe80::1]",
                "http://inboxd:8080",
                "http://inboxd.:8080"
            })
    void aKeyGoesToWhatIsNear(String server) {
        assertThat(ServerAddress.fault(URI.create(server), Map.of())).isNull();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "http://mail.example.com",
                "http://mail.example.com.",
                "http://8.8.8.8",
                "http://172.32.0.1",
                "http://100.128.0.1",
                "http://[2001:db8::1]",
                "http://10.0.0.1.example.com",
                "http://localhost.example.com"
            })
    void aKeyGoesToTheInternetInClearTextOnlyWhenOneSaysSo(String server) {
        assertThat(ServerAddress.fault(URI.create(server), Map.of())).contains("https://", "--insecure");
        assertThat(ServerAddress.fault(URI.create(server), Map.of("INBOXD_INSECURE", "ON")))
                .isNull();
        assertThat(ServerAddress.fault(URI.create(server), Map.of("INBOXD_INSECURE", "off")))
                .isNotNull();
    }
}
