package dev.inboxd.mail.auth;

import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.testing.Proves;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AuthenticationResultsTest {
    private static final AuthenticationResults FULL = new AuthenticationResults(
            new AuthenticationResults.Spf(AuthResult.SOFTFAIL, true, "a.test"),
            List.of(
                    new AuthenticationResults.Dkim(AuthResult.PASS, "a.test", "s1", "rsa-sha256", "ab/d+fgh"),
                    new AuthenticationResults.Dkim(AuthResult.TEMPERROR, null, null, null, null)),
            new AuthenticationResults.Dmarc(AuthResult.FAIL, "b.test", "quarantine", true),
            new AuthenticationResults.Arc(AuthResult.PASS, "list.test"));

    @Test
    void whatIsWrittenIsReadAgain() {
        String field = FULL.field("mx.inboxd.test");
        assertThat(field)
                .isEqualTo("Authentication-Results: mx.inboxd.test;\r\n\tspf=softfail smtp.mailfrom=a.test;\r\n\t"
                        + "dkim=pass header.d=a.test header.s=s1 header.a=rsa-sha256 header.b=\"ab/d+fgh\";\r\n"
                        + "\tdkim=temperror;"
                        + "\r\n\tdmarc=fail header.from=b.test policy.dmarc=quarantine policy.aligned=yes;\r\n\t"
                        + "arc=pass header.d=list.test\r\n");
        assertThat(AuthResultsParser.read(field.substring(field.indexOf(':') + 1)))
                .isEqualTo(FULL);
        AuthenticationResults empty = new AuthenticationResults(
                new AuthenticationResults.Spf(AuthResult.NONE, false, null),
                List.of(),
                new AuthenticationResults.Dmarc(AuthResult.PERMERROR, null, null, false),
                new AuthenticationResults.Arc(AuthResult.NONE, null));
        assertThat(empty.value("h", " "))
                .isEqualTo("h; spf=none; dkim=none; dmarc=permerror policy.aligned=no; arc=none");
        assertThat(AuthResultsParser.read(new AuthenticationResults(
                                new AuthenticationResults.Spf(AuthResult.NONE, false, "h.test"),
                                List.of(),
                                empty.dmarc(),
                                empty.arc())
                        .value("h", " ")))
                .isNotNull()
                .satisfies(read -> assertThat(read.spf().mailFrom()).isFalse());
    }

    /** Attack A12: nothing that a sender chose can end a result or begin one. */
    @ParameterizedTest
    @Proves("A12")
    @ValueSource(
            strings = {
                "a.test; dmarc=pass",
                "a.test dmarc=pass",
                "a\r\nX: y",
                "=?utf-8?q?a?=",
                "(a)",
                "\"a\"",
                "ä.test",
                "a=b",
                ""
            })
    void whatIsNotPlainIsLeftOut(String text) {
        AuthenticationResults results = new AuthenticationResults(
                new AuthenticationResults.Spf(AuthResult.FAIL, true, text),
                List.of(new AuthenticationResults.Dkim(AuthResult.FAIL, text, text, text, text)),
                new AuthenticationResults.Dmarc(AuthResult.FAIL, text, text, false),
                new AuthenticationResults.Arc(AuthResult.FAIL, text));
        assertThat(results.value("h", " ")).isEqualTo("h; spf=fail; dkim=fail; dmarc=fail policy.aligned=no; arc=fail");
    }

    @ParameterizedTest
    @Proves("A12")
    @ValueSource(
            strings = {
                " mx.inboxd.test; spf=pass",
                "MX.INBOXD.TEST;x",
                " (c (d)) mx.inboxd.test 1; x",
                "\r\n\tmx.inboxd.test",
                " \"mx.inboxd.test\"; x",
                " \"mx\\.inboxd.test\"; x",
                " mx.inboxd.test.; x",
                " mx.inboxd.test/1; x",
                "(\\))mx.inboxd.test(c);"
            })
    void aFieldInOurNameIsKnownHoweverItIsWritten(String value) {
        assertThat(AuthResultsParser.claims(value, "mx.inboxd.test")).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                " mx.inboxd.test.evil; x",
                " evil; mx.inboxd.test",
                "",
                "(mx.inboxd.test) other; x",
                "(",
                " xmx.inboxd.test;"
            })
    void aFieldOfOthersIsTheirs(String value) {
        assertThat(AuthResultsParser.claims(value, "mx.inboxd.test")).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "h; spf=pass",
                "h; spf=maybe; dkim=none; dmarc=none; arc=none",
                "h; spf=none; dkim=none; dmarc=none; arc=none; auth=pass",
                "h; spf=none; dkim=none; dmarc=none; arc=none;"
            })
    void whatWeDoNotWriteSaysNothing(String value) {
        assertThat(AuthResultsParser.read(value)).isNull();
    }
}
