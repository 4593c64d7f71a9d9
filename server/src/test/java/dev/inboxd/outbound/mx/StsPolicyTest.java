package dev.inboxd.outbound.mx;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StsPolicyTest {
    private static final String POLICY = "version: STSv1\r\nmode: enforce\r\nmx: mail.far.test\r\nmx: *.Backup.test\r\n"
            + "mode: none\r\nlater: unknown\r\nmax_age: 604800\r\n";

    @Test
    void aPolicyIsReadAndOnlyItsFirstWordCounts() {
        assertThat(StsPolicy.parse(POLICY))
                .contains(new StsPolicy(
                        StsPolicy.Mode.ENFORCE, List.of("mail.far.test", "*.backup.test"), Duration.ofDays(7)));
        assertThat(StsPolicy.parse(POLICY.replace("\r", ""))).isEqualTo(StsPolicy.parse(POLICY));
        assertThat(StsPolicy.parse("version: STSv1\nmode: none\nmax_age: 99999999999"))
                .isEmpty();
        assertThat(StsPolicy.parse("version: STSv1\nmode: none\nmax_age: 9999999999"))
                .map(StsPolicy::maxAge)
                .contains(Duration.ofHours(8_766));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "\0",
                "version: STSv2\nmode: enforce\nmx: a.test\nmax_age: 1",
                "mode: enforce\nmx: a\nmax_age: 1",
                "version: STSv1\nmode: strict\nmx: a.test\nmax_age: 1",
                "version: STSv1\nmode: enforce\nmax_age: 1",
                "version: STSv1\nmode: enforce\nmx: a.test\nmax_age: -1",
                "version: STSv1\nmode: enforce\nmx: a.test"
            })
    void whatIsNoPolicyIsNone(String text) {
        assertThat(StsPolicy.parse(text)).isEmpty();
    }

    @Test
    void manyHostsAreNoPolicy() {
        assertThat(StsPolicy.parse(POLICY + "mx: a.test\n".repeat(200))).isEmpty();
    }

    @Test
    void aWildcardStandsForOneLabel() {
        StsPolicy policy = StsPolicy.parse(POLICY).orElseThrow();
        assertThat(List.of("mail.far.test", "MAIL.far.test", "a.backup.test")).allMatch(policy::names);
        assertThat(List.of("backup.test", "a.b.backup.test", "far.test", "xbackup.test", ".backup.test.evil", ""))
                .noneMatch(policy::names);
    }

    @Test
    void oneRecordNamesThePolicy() {
        assertThat(StsPolicy.id(List.of("v=STSv1; id=20260101T;", "v=spf1 -all")))
                .contains("20260101T");
        assertThat(StsPolicy.id(List.of("v=STSv1; id=a;", "v=STSv1; id=b;"))).isEmpty();
        assertThat(StsPolicy.id(List.of("v=STSv1; id=a b;"))).isEmpty();
        assertThat(StsPolicy.id(List.of("v=STSv1; id=" + "a".repeat(33)))).isEmpty();
        assertThat(StsPolicy.id(List.of("v=STSv1;"))).isEmpty();
        assertThat(StsPolicy.id(List.of("v=STSv10; id=a"))).isEmpty();
    }
}
