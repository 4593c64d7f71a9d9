package dev.inboxd.mail.smtp;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;

class SmtpReplyTest {
    @Test
    void aReplyIsOneLineWithItsStatus() {
        assertThat(wire(SmtpReply.NO_SUCH_MAILBOX)).isEqualTo("550 5.1.1 No such mailbox here\r\n");
    }

    @Test
    void everyLineOfALongReplyCarriesCodeAndStatus() {
        assertThat(wire(SmtpReply.of(550, "5.7.1", "one\ntwo\n")))
                .isEqualTo("550-5.7.1 one\r\n550-5.7.1 two\r\n550 5.7.1 \r\n");
        assertThat(wire(SmtpReply.of(250, "host\nSIZE 1"))).isEqualTo("250-host\r\n250 SIZE 1\r\n");
    }

    @Test
    void textOfAnyOriginCannotLeaveItsLine() {
        assertThat(wire(SmtpReply.of(550, "5.7.1", "a\r250 b\0c\u001b[31mü\u2028")))
                .isEqualTo("550 5.7.1 a?250 b?c?[31m??\r\n");
    }

    @Test
    void aLineStaysWithinTheLimitOfTheStandard() {
        assertThat(wire(SmtpReply.of(550, "5.999.999", "x".repeat(2_000))))
                .hasSizeLessThanOrEqualTo(512)
                .endsWith("x\r\n");
    }

    @Test
    void onlyRealStatusCodesAreRead() {
        assertThat(EnhancedStatus.parse("5.1.10")).hasToString("5.1.10");
        String[] all = {"", "5", "5.1", "3.1.1", "5..1", "5.1.1000", "5.1.x", "5.1.-1", "5.1.1.1", ".1.1"};
        for (String wrong : all) {
            assertThatIllegalArgumentException().as(wrong).isThrownBy(() -> EnhancedStatus.parse(wrong));
        }
    }

    private static String wire(SmtpReply reply) {
        return new String(reply.toBytes(), US_ASCII);
    }
}
