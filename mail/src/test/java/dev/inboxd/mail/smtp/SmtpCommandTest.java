package dev.inboxd.mail.smtp;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.inboxd.testing.Proves;
import java.util.Arrays;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class SmtpCommandTest {
    @Test
    void mailCarriesItsParameters() {
        assertThat(parse("MAIL FROM:<a@b.example> SMTPUTF8 SIZE=12 BODY=7BIT"))
                .isEqualTo(new SmtpCommand.Mail(new SmtpPath("a", "b.example"), 12, true, false, MailDsn.NONE));
        assertThat(parse("mail from:<>"))
                .isEqualTo(new SmtpCommand.Mail(NullPath.NULL, -1, false, false, MailDsn.NONE));
    }

    @Test
    void aHugeSizeIsJustTooLarge() {
        assertThat(parse("MAIL FROM:<> SIZE=" + "9".repeat(500)))
                .isEqualTo(new SmtpCommand.Mail(NullPath.NULL, Long.MAX_VALUE, false, false, MailDsn.NONE));
        assertThat(parse("MAIL FROM:<> SIZE=9223372036854775807"))
                .isEqualTo(new SmtpCommand.Mail(NullPath.NULL, Long.MAX_VALUE, false, false, MailDsn.NONE));
    }

    @Test
    void aChunkHasASizeOrNobodyKnowsWhereItEnds() {
        assertThat(parse("BDAT 0")).isEqualTo(new SmtpCommand.Bdat(0, false));
        assertThat(parse("bdat 86 last")).isEqualTo(new SmtpCommand.Bdat(86, true));
        assertThat(parse("BDAT 99999999999999999999")).isEqualTo(new SmtpCommand.Bdat(Long.MAX_VALUE, false));
        for (String unreadable : new String[] {"BDAT", "BDAT LAST", "BDAT -1", "BDAT 1x", "BDAT 1 2"}) {
            assertThat(((SmtpCommand.Bdat) parse(unreadable)).size())
                    .as(unreadable)
                    .isEqualTo(-1);
        }
    }

    @Test
    @Proves("A8")
    void authHasAMechanismAndPerhapsAnInitialResponse() {
        assertThat(parse("AUTH plain")).isEqualTo(new SmtpCommand.Auth("PLAIN", null));
        assertThat(parse("AUTH LOGIN =")).isEqualTo(new SmtpCommand.Auth("LOGIN", "="));
        assertRefused("AUTH", 501);
        assertRefused("AUTH PLAIN a b", 501);
        assertThat(parse("MAIL FROM:<> AUTH=a+2Bb@c"))
                .isEqualTo(new SmtpCommand.Mail(NullPath.NULL, -1, false, true, MailDsn.NONE));
        assertRefused("MAIL FROM:<> AUTH=", 501);
        assertRefused("MAIL FROM:<> AUTH=+2b", 501);
        assertRefused("MAIL FROM:<> AUTH=+0A", 501);
        assertRefused("MAIL FROM:<> AUTH=<> AUTH=<>", 501);
    }

    @Test
    @Proves("P2g")
    void whatIsToBeToldIsReadStrictly() {
        assertThat(parse("MAIL FROM:<> ret=Full ENVID=a+20b+2Bc"))
                .isEqualTo(new SmtpCommand.Mail(NullPath.NULL, -1, false, false, new MailDsn("FULL", "a+20b+2Bc")));
        assertThat(new MailDsn("", "a+20b+2Bc").envelopeId()).isEqualTo("a b+c");
        for (String bad : new String[] {
            "RET",
            "RET=",
            "RET=ALL",
            "RET=FULL RET=FULL",
            "ENVID",
            "ENVID=",
            "ENVID=a=b",
            "ENVID=a+2b",
            "ENVID=a+0A",
            "ENVID=+",
            "ENVID=a ENVID=b",
            "ENVID=ü",
            "ENVID=" + "a".repeat(101)
        }) {
            assertRefused("MAIL FROM:<> " + bad, 501);
        }
        assertThat(parse("MAIL FROM:<> ENVID=" + "a".repeat(100))).isInstanceOf(SmtpCommand.Mail.class);
        assertRefused("MAIL FROM:<> NOTIFY=NEVER", 555);

        SmtpPath path = new SmtpPath("a", "b.example");
        assertThat(parse("RCPT TO:<a@b.example> notify=Success,delay,SUCCESS ORCPT=x400;C+3Dat"))
                .isEqualTo(new SmtpCommand.Rcpt(path, new RecipientDsn("SUCCESS,DELAY", "x400;C+3Dat")));
        assertThat(new RecipientDsn("", "x400;C+3Dat").originalRecipient()).isEqualTo("x400;C=at");
        for (String bad : new String[] {
            "NOTIFY",
            "NOTIFY=",
            "NOTIFY=NEVER,DELAY",
            "NOTIFY=SUCCESS,",
            "NOTIFY=ALWAYS",
            "NOTIFY=NEVER NOTIFY=NEVER",
            "ORCPT",
            "ORCPT=",
            "ORCPT=a@b",
            "ORCPT=;a",
            "ORCPT=rfc822;",
            "ORCPT=a b;c",
            "ORCPT=a@b;c",
            "ORCPT=rfc822;a=b",
            "ORCPT=rfc822;a+4",
            "ORCPT=rfc822;ü@b.example",
            "ORCPT=rfc822;a ORCPT=rfc822;a",
            "ORCPT=rfc822;" + "a".repeat(494)
        }) {
            assertRefused("RCPT TO:<a@b.example> " + bad, 501);
        }
        assertRefused("RCPT TO:<a@b.example> RET=FULL", 555);
        assertThat(parse("RCPT TO:<a@b.example> ORCPT=rfc822;" + "a".repeat(493)))
                .isInstanceOf(SmtpCommand.Rcpt.class);
    }

    @Test
    void anOriginalRecipientBeyondAsciiNeedsSmtpUtf8AndIsWrittenOut() {
        SmtpCommand.Rcpt rcpt = (SmtpCommand.Rcpt) parse("RCPT TO:<a@b.example> ORCPT=UTF-8;jö\ud83d\ude00@b");
        assertThat(rcpt.isAscii()).isFalse();
        assertThat(rcpt.dsn().ascii()).isEqualTo(new RecipientDsn("", "UTF-8;j\\x{F6}\\x{1F600}@b"));
        assertThat(rcpt.dsn().originalRecipient()).isEqualTo("UTF-8;j\\x{F6}\\x{1F600}@b");
        assertThat(RecipientDsn.typed("jö@b.example")).isEqualTo("utf-8; j\\x{F6}@b.example");
    }

    @Test
    @Proves("A8")
    void xclientSaysWhatItsRelayKnows() {
        assertThat(parse("XCLIENT addr=192.0.2.1 NAME=[UNAVAILABLE] HELO=a+28b PROTO=ESMTP"))
                .isEqualTo(new SmtpCommand.Xclient(Map.of("ADDR", "192.0.2.1", "HELO", "a?b", "PROTO", "ESMTP")));
        assertRefused("XCLIENT", 501);
        assertRefused("XCLIENT LOGIN=root", 501);
        assertRefused("XCLIENT ADDR=192.0.2.1+0D+0AMAIL", 501);
    }

    @Test
    void sourceRoutesAreForgotten() {
        assertThat(parse("RCPT TO:<@a.example,@[IPv6:::1]:u@c.example>"))
                .isEqualTo(new SmtpCommand.Rcpt(new SmtpPath("u", "c.example"), RecipientDsn.NONE));
        assertRefused("RCPT TO:<@a.example:>", 501);
        assertRefused("RCPT TO:<@a.example,:u@c>", 501);
        assertRefused("RCPT TO:<@a.example u@c>", 501);
    }

    @Test
    void quotingIsTakenOffAndPutBackOnlyWhereNeeded() {
        SmtpPath path = new SmtpPath("a \"b\\", "c.example");
        assertThat(path).hasToString("<\"a \\\"b\\\\\"@c.example>");
        assertThat(parse("RCPT TO:" + path)).isEqualTo(new SmtpCommand.Rcpt(path, RecipientDsn.NONE));
        assertThat(new SmtpPath("a.b", "c")).hasToString("<a.b@c>");
        assertThat(new SmtpPath("a..b", "c")).hasToString("<\"a..b\"@c>");
        assertThat(new SmtpPath("", "c")).hasToString("<\"\"@c>");
    }

    @Test
    @Proves("A8")
    void aPathThatCouldBreakALineCannotExist() {
        for (String evil : new String[] {"a\r", "a\n", "a\0", "a\u0085", "a\u007f"}) {
            assertThatIllegalArgumentException().isThrownBy(() -> new SmtpPath(evil, "c"));
            assertThatIllegalArgumentException().isThrownBy(() -> new SmtpPath("a", evil));
        }
    }

    @Test
    void onlyPostmasterStandsAlone() {
        assertThat(parse("RCPT TO:<PostMaster>"))
                .isEqualTo(new SmtpCommand.Rcpt(new SmtpPath("PostMaster", ""), RecipientDsn.NONE));
        assertRefused("RCPT TO:<abuse>", 501);
        assertRefused("MAIL FROM:<postmaster>", 501);
    }

    @Test
    void everythingThatIsReadIsReadTheSameFromItsRendering() {
        Random random = new Random(5321);
        String alphabet = "ab@.\"\\<>:,[]%! ü\t1-";
        int paths = 0;
        for (int i = 0; i < 30_000; i++) {
            StringBuilder line = new StringBuilder("RCPT TO:<");
            for (int length = random.nextInt(12); length > 0; length--) {
                line.append(alphabet.charAt(random.nextInt(alphabet.length())));
            }
            SmtpCommand command = parse(line + (random.nextBoolean() ? "@a>" : ">"));
            if (command instanceof SmtpCommand.Rcpt rcpt) {
                paths++;
                assertThat(parse("RCPT TO:" + rcpt.forwardPath())).isEqualTo(rcpt);
            }
        }
        assertThat(paths).isGreaterThan(200);
    }

    @Test
    void noOctetsMakeTheParserThrow() {
        Random random = new Random(2821);
        String[] starts = {"", "MAIL FROM:<", "RCPT TO:<", "EHLO ", "MAIL FROM:<> SIZE="};
        for (int i = 0; i < 20_000; i++) {
            byte[] rest = new byte[random.nextInt(20)];
            random.nextBytes(rest);
            byte[] start = starts[i % starts.length].getBytes(UTF_8);
            byte[] line = Arrays.copyOf(start, start.length + rest.length);
            System.arraycopy(rest, 0, line, start.length, rest.length);
            assertThat(SmtpCommand.parse(line, 0, line.length)).isNotNull();
        }
    }

    private static SmtpCommand parse(String line) {
        byte[] octets = line.getBytes(UTF_8);
        return SmtpCommand.parse(octets, 0, octets.length);
    }

    private static void assertRefused(String line, int code) {
        assertThat(parse(line))
                .isInstanceOfSatisfying(
                        SmtpCommand.Invalid.class,
                        bad -> assertThat(bad.reply().code()).isEqualTo(code));
    }
}
