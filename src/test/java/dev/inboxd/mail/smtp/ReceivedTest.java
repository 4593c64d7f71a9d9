package dev.inboxd.mail.smtp;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class ReceivedTest {
    private static final Received.By BY = new Received.By("mx.example", "ESMTPS", "abc1");
    private static final Instant AT = Instant.parse("2026-02-03T04:05:06.789Z");

    @Test
    void theFieldSaysWhoGaveWhatToWhomAndWhen() throws UnknownHostException {
        InetAddress client = InetAddress.getByName("192.0.2.1");
        Received field = new Received("c.example", client, BY, new Path("a b", "d.example"), AT);
        assertThat(field.toString().split("\r\n\t", -1))
                .containsExactly(
                        "Received: from c.example ([192.0.2.1])",
                        "by mx.example with ESMTPS id abc1",
                        "for <\"a b\"@d.example>;",
                        "Tue, 3 Feb 2026 04:05:06 +0000\r\n");
    }

    @Test
    void anIpv6ClientIsWrittenWithItsTagAndWithoutItsScope() throws UnknownHostException {
        InetAddress client = InetAddress.getByName("fe80::1%1");
        assertThat(new Received("[::1]", client, BY, null, AT).toString().lines())
                .startsWith("Received: from [::1] ([IPv6:fe80:0:0:0:0:0:0:1])", "\tby mx.example with ESMTPS id abc1;");
    }

    @Test
    void theProtocolHasItsRegisteredName() {
        assertThat(Received.with(false, false, false)).isEqualTo("SMTP");
        assertThat(Received.with(true, false, false)).isEqualTo("ESMTP");
        assertThat(Received.with(true, false, true)).isEqualTo("ESMTPS");
        assertThat(Received.with(true, true, false)).isEqualTo("UTF8SMTP");
        assertThat(Received.with(true, true, true)).isEqualTo("UTF8SMTPS");
    }
}
