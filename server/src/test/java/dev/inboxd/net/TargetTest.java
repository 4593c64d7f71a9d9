package dev.inboxd.net;

import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.net.TargetCheck.Reason;
import dev.inboxd.testing.Proves;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class TargetTest {
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            https://Hook.Example            | https://hook.example/
            https://hook.example.:443/a?b=c | https://hook.example/a?b=c
            https://hook.example:8443/a%20b | https://hook.example:8443/a%20b
            https://hook.example:80/        | https://hook.example:80/
            HTTPS://hook.example/?          | https://hook.example/?
            https://1572395042/x            | https://93.184.216.34/x
            https://[2606:2800:220:0::1]:8443 | https://[2606:2800:220::1]:8443/
            https://[64:ff9b::5db8:d822]/   | https://[64:ff9b::5db8:d822]/
            https://hook.example\\@127.0.0.1/ | https://hook.example/@127.0.0.1/
            """)
    void goodUrlsAreWrittenCanonically(String url, String canonical) {
        assertThat(Target.check(url, TargetRules.PRODUCTION))
                .isInstanceOfSatisfying(
                        TargetCheck.Valid.class,
                        accepted -> assertThat(accepted.target()).hasToString(canonical));
    }

    @ParameterizedTest
    @Proves("A21")
    @CsvSource(delimiter = '|', textBlock = """
            hook.example                        | SCHEME
            //hook.example/                     | SCHEME
            https:                              | SYNTAX
            https:127.0.0.1                     | ADDRESS
            https:///127.0.0.1                  | ADDRESS
            https:\\\\127.0.0.1                 | ADDRESS
            https://%31%32%37.0.0.1/            | ADDRESS
            https://１２７.０.０.１/                | ADDRESS
            https://b%FFcher.example/           | HOST
            ftp://hook.example/                 | SCHEME
            http://hook.example/                | SCHEME
            file:///etc/passwd                  | SCHEME
            https://user@hook.example/          | USERINFO
            https://user:secret@hook.example/   | USERINFO
            https://hook.example@127.0.0.1/     | USERINFO
            https://127.0.0.1%40hook.example/   | HOST
            https://hook.example/#part          | FRAGMENT
            https://hook.example:22/            | PORT
            https://hook.example:0/             | PORT
            https://hook.example:65536/         | PORT
            https://hook.example:-1/            | PORT
            https://hook.example:8443x/         | PORT
            https://hook_example/               | HOST
            https://-hook.example/              | HOST
            https://hook..example/              | HOST
            https://256.1.1.1/                  | HOST
            https://1.2.3.08/                   | HOST
            https://0x/                         | HOST
            https://4294967296/                 | HOST
            https://[fe80::1%25eth0]/           | HOST
            https://[::1                        | SYNTAX
            https://127.0.0.01/                 | ADDRESS
            https://0x7f.1/                     | ADDRESS
            https://0177.0.0.1/                 | ADDRESS
            https://[::1]/                      | ADDRESS
            https://[::ffff:7f00:1]:8443/       | ADDRESS
            https://localhost:8080/             | ADDRESS
            https://APP.localhost./             | ADDRESS
            """)
    void everythingElseIsRefusedWithItsReason(String url, Reason reason) {
        assertThat(Target.check(url, TargetRules.PRODUCTION))
                .isInstanceOfSatisfying(
                        TargetCheck.Invalid.class,
                        refused -> assertThat(refused.reason()).isEqualTo(reason));
    }

    @ParameterizedTest
    @CsvSource({"http://localhost:3000/hook", "http://127.1:25/", "http://[::1]:1/", "http://10.0.0.1/"})
    void developmentMayReachItsOwnMachine(String url) {
        assertThat(Target.check(url, TargetRules.DEVELOPMENT)).isInstanceOf(TargetCheck.Valid.class);
    }

    @Test
    void aUrlWithoutEndIsRefused() {
        assertThat(Target.check("https://hook.example/" + "a".repeat(8_000), TargetRules.PRODUCTION))
                .isInstanceOf(TargetCheck.Invalid.class);
        assertThat(Target.check("https://hook.example/\r\nHost: x", TargetRules.PRODUCTION))
                .isInstanceOf(TargetCheck.Invalid.class);
    }
}
