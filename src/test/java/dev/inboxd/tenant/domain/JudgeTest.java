package dev.inboxd.tenant.domain;

import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.mail.dkim.DkimKey;
import dev.inboxd.net.MailExchanger;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What counts as a record that is right (identity.md §11.4). */
class JudgeTest {
    private static List<MailExchanger> exchangers(String... hosts) {
        return List.of(hosts).stream().map(host -> new MailExchanger(10, host)).toList();
    }

    @Test
    void mailExchangers() {
        assertThat(Judge.exchangers(exchangers("mx.us.example"), "mx.us.example", false))
                .isEqualTo(Finding.VALID);
        assertThat(Judge.exchangers(exchangers("MX.us.Example."), "mx.us.example", false))
                .isEqualTo(Finding.VALID);
        assertThat(Judge.exchangers(exchangers("mx.us.example", "mx.else.example"), "mx.us.example", false))
                .isEqualTo(Finding.DUPLICATE);
        assertThat(Judge.exchangers(exchangers("mx.us.example", "mx.else.example"), "mx.us.example", true))
                .isEqualTo(Finding.VALID);
        assertThat(Judge.exchangers(exchangers("mx.else.example"), "mx.us.example", true))
                .isEqualTo(Finding.MISMATCH);
        assertThat(Judge.exchangers(List.of(), "mx.us.example", false))
                .as("RFC 7505")
                .isEqualTo(Finding.MISMATCH);
    }

    @Test
    void senderPolicy() {
        String expected = "v=spf1 include:spf.us.example -all";
        assertThat(Judge.spf(List.of(expected), expected)).isEqualTo(Finding.VALID);
        assertThat(Judge.spf(List.of("other=1", "V=SPF1 ip4:192.0.2.1 +INCLUDE:spf.us.example ~all"), expected))
                .isEqualTo(Finding.VALID);
        assertThat(Judge.spf(List.of("v=spf1 -all"), expected)).isEqualTo(Finding.MISMATCH);
        assertThat(Judge.spf(List.of("v=spf1 include:spf.us.example.evil.example"), expected))
                .isEqualTo(Finding.MISMATCH);
        assertThat(Judge.spf(List.of("v=spf10 include:spf.us.example"), expected))
                .isEqualTo(Finding.MISSING);
        assertThat(Judge.spf(List.of(expected, "v=spf1 -all"), expected)).isEqualTo(Finding.DUPLICATE);
    }

    @Test
    void keys() {
        DkimKey key = DkimKey.generate();
        String record = key.dnsRecord();
        String base64 = record.substring(record.indexOf("p=") + 2);
        assertThat(Judge.dkim(List.of(record), key)).isEqualTo(Finding.VALID);
        assertThat(Judge.dkim(List.of("p=" + base64.substring(0, 40) + " \t" + base64.substring(40) + " ; t=y"), key))
                .isEqualTo(Finding.VALID);
        assertThat(Judge.dkim(List.of(DkimKey.generate().dnsRecord()), key)).isEqualTo(Finding.MISMATCH);
        assertThat(Judge.dkim(List.of("v=DKIM1; p=", "p=AAAA", "p=\u00e9", "nothing"), key))
                .isEqualTo(Finding.MISMATCH);
        assertThat(Judge.dkim(List.of(record, "v=DKIM1; p="), key)).isEqualTo(Finding.DUPLICATE);
    }

    @Test
    void policies() {
        assertThat(Judge.dmarc(List.of("v=DMARC1; p=none"))).isEqualTo(Finding.VALID);
        assertThat(Judge.dmarc(List.of("x", "v = DMARC1 ;p = Reject; rua=mailto:a@b.example")))
                .isEqualTo(Finding.VALID);
        assertThat(Judge.dmarc(List.of("v=DMARC1; p=block"))).isEqualTo(Finding.MISMATCH);
        assertThat(Judge.dmarc(List.of("v=DMARC1"))).isEqualTo(Finding.MISMATCH);
        assertThat(Judge.dmarc(List.of("v=spf1 -all", "p=none; v=DMARC1"))).isEqualTo(Finding.MISSING);
        assertThat(Judge.dmarc(List.of("v=DMARC1; p=none", "v=DMARC1; p=none"))).isEqualTo(Finding.DUPLICATE);
    }

    @Test
    void aliases() {
        assertThat(Judge.alias(List.of("Link.us.example"), "link.us.example")).isEqualTo(Finding.VALID);
        assertThat(Judge.alias(List.of("link.else.example"), "link.us.example")).isEqualTo(Finding.MISMATCH);
    }
}
