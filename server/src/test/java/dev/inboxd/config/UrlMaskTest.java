package dev.inboxd.config;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A URL with a password is shown so that a wrong one can be mended, and the password not read. */
class UrlMaskTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "postgres://u:canary@db.example:5432/x | postgres://u:***@db.example:5432/x",
                "postgres://u@db.example/x | postgres://u@db.example/x",
                "postgres://db.example:5432/x | postgres://db.example:5432/x",
                "postgres://[::1]:5432/x | postgres://[::1]:5432/x",
                "postgres://u:c@n@ry@db/x | postgres://u:***@db/x",
                "postgres://u:can/ary?x@db/x | postgres://u:***@db/x",
                "postgres://u:canary | postgres://u:***",
                "postgres://db/x?user=u&password=canary&ssl=true | postgres://db/x?user=u&password=***&ssl=true",
                "jdbc:postgresql://db/x?sslPassword=canary | jdbc:postgresql://db/x?sslPassword=***",
                "mysql://u:canary@h/db | mysql://u:***@h/db",
                "smtp://u:canary@relay:587 | smtp://u:***@relay:587",
                "canary | ***",
                "u:canary@db/x | ***",
                "can ary://x | ***"
            })
    void onlyThePasswordIsLeftOut(String url, String shown) {
        assertThat(UrlMask.of(url)).isEqualTo(shown).doesNotContain("canary");
    }
}
