package dev.inboxd.mail.smtp;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class TraceFieldsTest {
    private static final TraceFields.Receiver BY = new TraceFields.Receiver("mx.example", "ESMTPS", "abc1");
    private static final Instant AT = Instant.parse("2026-02-03T04:05:06.789Z");

    @Test
    void theFieldSaysWhoGaveWhatToWhomAndWhen() throws UnknownHostException {
        InetAddress client = InetAddress.getByName("192.0.2.1");
        TraceFields field = new TraceFields("c.example", client, BY, new SmtpPath("a b", "d.example"), AT);
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
        assertThat(new TraceFields("[::1]", client, BY, null, AT).toString().lines())
                .startsWith("Received: from [::1] ([IPv6:fe80:0:0:0:0:0:0:1])", "\tby mx.example with ESMTPS id abc1;");
    }

    @Test
    void theProtocolHasItsRegisteredName() {
        assertThat(TraceFields.with(false, false, false)).isEqualTo("SMTP");
        assertThat(TraceFields.with(true, false, false)).isEqualTo("ESMTP");
        assertThat(TraceFields.with(true, false, true)).isEqualTo("ESMTPS");
        assertThat(TraceFields.with(true, true, false)).isEqualTo("UTF8SMTP");
        assertThat(TraceFields.with(true, true, true)).isEqualTo("UTF8SMTPS");
    }
}
