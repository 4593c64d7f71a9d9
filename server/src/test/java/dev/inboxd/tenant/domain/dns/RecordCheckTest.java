package dev.inboxd.tenant.domain.dns;

import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.mail.dkim.DkimKey;
import dev.inboxd.net.MailExchanger;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What counts as a record that is right (identity.md §11.4). */
class RecordCheckTest {
    private static List<MailExchanger> exchangers(String... hosts) {
        return List.of(hosts).stream().map(host -> new MailExchanger(10, host)).toList();
    }

    @Test
    void mailExchangers() {
        assertThat(RecordCheck.exchangers(exchangers("mx.us.example"), "mx.us.example", false))
                .isEqualTo(RecordResult.VALID);
        assertThat(RecordCheck.exchangers(exchangers("MX.us.Example."), "mx.us.example", false))
                .isEqualTo(RecordResult.VALID);
        assertThat(RecordCheck.exchangers(exchangers("mx.us.example", "mx.else.example"), "mx.us.example", false))
                .isEqualTo(RecordResult.DUPLICATE);
        assertThat(RecordCheck.exchangers(exchangers("mx.us.example", "mx.else.example"), "mx.us.example", true))
                .isEqualTo(RecordResult.VALID);
        assertThat(RecordCheck.exchangers(exchangers("mx.else.example"), "mx.us.example", true))
                .isEqualTo(RecordResult.MISMATCH);
        assertThat(RecordCheck.exchangers(List.of(), "mx.us.example", false))
                .as("RFC 7505")
                .isEqualTo(RecordResult.MISMATCH);
    }

    @Test
    void senderPolicy() {
        String expected = "v=spf1 include:spf.us.example -all";
        assertThat(RecordCheck.spf(List.of(expected), expected)).isEqualTo(RecordResult.VALID);
        assertThat(RecordCheck.spf(List.of("other=1", "V=SPF1 ip4:192.0.2.1 +INCLUDE:spf.us.example ~all"), expected))
                .isEqualTo(RecordResult.VALID);
        assertThat(RecordCheck.spf(List.of("v=spf1 -all"), expected)).isEqualTo(RecordResult.MISMATCH);
        assertThat(RecordCheck.spf(List.of("v=spf1 include:spf.us.example.evil.example"), expected))
                .isEqualTo(RecordResult.MISMATCH);
        assertThat(RecordCheck.spf(List.of("v=spf10 include:spf.us.example"), expected))
                .isEqualTo(RecordResult.MISSING);
        assertThat(RecordCheck.spf(List.of(expected, "v=spf1 -all"), expected)).isEqualTo(RecordResult.DUPLICATE);
    }

    @Test
    void keys() {
        DkimKey key = DkimKey.generate();
        String record = key.dnsRecord();
        String base64 = record.substring(record.indexOf("p=") + 2);
        assertThat(RecordCheck.dkim(List.of(record), key)).isEqualTo(RecordResult.VALID);
        assertThat(RecordCheck.dkim(
                        List.of("p=" + base64.substring(0, 40) + " \t" + base64.substring(40) + " ; t=y"), key))
                .isEqualTo(RecordResult.VALID);
        assertThat(RecordCheck.dkim(List.of(DkimKey.generate().dnsRecord()), key))
                .isEqualTo(RecordResult.MISMATCH);
        assertThat(RecordCheck.dkim(List.of("v=DKIM1; p=", "p=AAAA", "p=\u00e9", "nothing"), key))
                .isEqualTo(RecordResult.MISMATCH);
        assertThat(RecordCheck.dkim(List.of(record, "v=DKIM1; p="), key)).isEqualTo(RecordResult.DUPLICATE);
    }

    @Test
    void policies() {
        assertThat(RecordCheck.dmarc(List.of("v=DMARC1; p=none"))).isEqualTo(RecordResult.VALID);
        assertThat(RecordCheck.dmarc(List.of("x", "v = DMARC1 ;p = Reject; rua=mailto:a@b.example")))
                .isEqualTo(RecordResult.VALID);
        assertThat(RecordCheck.dmarc(List.of("v=DMARC1; p=block"))).isEqualTo(RecordResult.MISMATCH);
        assertThat(RecordCheck.dmarc(List.of("v=DMARC1"))).isEqualTo(RecordResult.MISMATCH);
        assertThat(RecordCheck.dmarc(List.of("v=spf1 -all", "p=none; v=DMARC1")))
                .isEqualTo(RecordResult.MISSING);
        assertThat(RecordCheck.dmarc(List.of("v=DMARC1; p=none", "v=DMARC1; p=none")))
                .isEqualTo(RecordResult.DUPLICATE);
    }

    @Test
    void aliases() {
        assertThat(RecordCheck.alias(List.of("Link.us.example"), "link.us.example"))
                .isEqualTo(RecordResult.VALID);
        assertThat(RecordCheck.alias(List.of("link.else.example"), "link.us.example"))
                .isEqualTo(RecordResult.MISMATCH);
    }
}
