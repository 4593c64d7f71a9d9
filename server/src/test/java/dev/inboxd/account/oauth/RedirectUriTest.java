package dev.inboxd.account.oauth;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Where a browser may be sent with a code. */
class RedirectUriTest {
    @ParameterizedTest
    @CsvSource({
        "https://app.example/callback, https://app.example",
        "https://app.example:8443/callback?x=1, https://app.example:8443",
        "http://127.0.0.1/callback, http://127.0.0.1",
        "http://127.0.0.1:49152/callback, http://127.0.0.1:49152",
        "http://localhost:3000, http://localhost:3000",
        "http://[::1]:8080/cb, http:",
        "com.example.app:/callback, com.example.app:",
        "desk://open/callback, desk:"
    })
    void aPersonsBrowserMayGoThere(String text, String source) {
        assertThat(Objects.requireNonNull(RedirectUri.of(text)).source()).isEqualTo(source);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "callback",
                "/callback",
                "javascript:alert(1)",
                "JavaScript:/alert(1)",
                "javascript:/alert(1)",
                "data:text/html,x",
                "data:/text/html,x",
                "vbscript:/x",
                "file:///etc/passwd",
                "blob:/x",
                "ms-settings:/x",
                "search-ms:/x",
                "http://app.example/callback",
                "http://127.0.0.1.app.example/callback",
                "http://localhost.app.example/callback",
                "http://127.0.0.2/callback",
                "http://127.0.0.1@app.example/callback",
                "https://user@app.example/callback",
                "https://app.example/callback#x",
                "https://app.example\\@evil.example/",
                "https:///callback",
                "https:/app.example/callback",
                "https://app.example:0/",
                "https://app.example:65536/",
                "https://app.example:80a/",
                "https://app.example:/",
                "https://app_example/",
                "https://аpp.example/",
                "https://app.example/a b",
                "https://app.example/;\r\nSet-Cookie: x=1",
                "desk:callback",
                "1desk:/callback",
                "https://app.example/\"><script>"
            })
    void noBrowserIsSentThere(String text) {
        assertThat(RedirectUri.of(text)).isNull();
    }

    @Test
    void whatIsTooLongIsRefused() {
        assertThat(RedirectUri.of("https://app.example/" + "a".repeat(1_004))).isNotNull();
        assertThat(RedirectUri.of("https://app.example/" + "a".repeat(1_005))).isNull();
    }

    @ParameterizedTest
    @CsvSource({
        "https://app.example/cb, https://app.example/cb, true",
        "https://app.example/cb, https://app.example/cb/, false",
        "https://app.example/cb, https://app.example/cb?x=1, false",
        "https://app.example/cb, https://app.example:443/cb, false",
        "https://app.example/cb, https://sub.app.example/cb, false",
        "http://127.0.0.1/cb, http://127.0.0.1:1234/cb, true",
        "http://127.0.0.1:1/cb, http://127.0.0.1:1234/cb, true",
        "http://127.0.0.1/cb, http://localhost:1234/cb, false",
        "http://127.0.0.1/cb, http://127.0.0.1:1234/other, false",
        "http://[::1]/cb, http://[::1]:1234/cb, true",
        "desk://open/cb, desk://open/cb, true",
        "desk://open/cb, desk://open/cb2, false"
    })
    void aRequestNamesExactlyWhatWasRegisteredButThePortOfTheOwnMachine(String one, String other, boolean isSame) {
        RedirectUri registered = Objects.requireNonNull(RedirectUri.of(one));
        assertThat(registered.covers(Objects.requireNonNull(RedirectUri.of(other))))
                .isEqualTo(isSame);
    }
}
