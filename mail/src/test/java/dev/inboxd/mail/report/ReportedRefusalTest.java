package dev.inboxd.mail.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.mail.message.MessageParser;
import dev.inboxd.mail.message.PartReader;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which reports tell that an address is bad: those of a permanent refusal of it, and no others. */
class ReportedRefusalTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            nullValues = "-",
            value = {
                "5.1.1 | smtp; 550 5.1.1 <kim@example.org>: User unknown | true",
                "5.0.0 | smtp; 550 5.1.1 No such user | true",
                "5.0.0 | smtp; 550 No such user | true",
                "5.0.0 | smtp; 550 Utilisateur inconnu | true",
                "5.1.1 | - | true",
                "5.1.2 | - | true",
                "5.1.3 | - | true",
                "5.1.6 | smtp; 551 not our user | true",
                "5.1.10 | smtp; 550 5.1.10 RESOLVER.ADR.RecipientNotFound | true",
                "5.2.1 | smtp; 550 5.2.1 Disabled | true",
                "5.4.4 | X-Postfix; Host or domain name not found. Host not found | true",
                "5.1.1 | smtp; 550 Requested action not taken: mailbox unavailable | true",
                "5.1.1 | smtp; 550 5.7.1 blocked using zen.spamhaus.org | false",
                "5.1.1 | smtp; 550 Greylisted, please try again | false",
                "5.1.1 | smtp; 550 relay not permitted | false",
                "5.1.1 | smtp; 450 4.1.1 User unknown | false",
                "5.0.0 | smtp; 450 4.1.1 User unknown | false",
                "5.0.0 | smtp; 451 No such user | false",
                "4.1.1 | smtp; 450 4.1.1 User unknown | false",
                "4.4.7 | smtp; 450 4.1.1 User unknown | false",
                "4.0.0 | smtp; 550 User unknown | false",
                "5.4.7 | smtp; 450 4.1.1 User unknown | false",
                "5.1.8 | smtp; 553 5.1.8 Domain of sender does not exist | false",
                "5.0.0 | smtp; 550 Sender verify failed: user unknown | false",
                "5.0.0 | smtp; 550 <me@ours.test>: user unknown | false",
                "5.1.0 | smtp; 550 #5.1.0 Address rejected | false",
                "5.2.2 | smtp; 552 5.2.2 Over quota | false",
                "5.3.0 | smtp; 550 Rejected | false",
                "5.7.1 | - | false",
                "5.0.0 | - | false",
            })
    void fieldsDecide(String status, String diagnostic, boolean refuses) {
        String fields = "Action: failed\nStatus: " + status
                + (diagnostic == null ? "" : "\nDiagnostic-Code: " + diagnostic) + "\n";
        assertThat(refuses(report("Something went wrong.", fields))).isEqualTo(refuses);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "(in reply to RCPT TO command) | true",
                "(in reply to MAIL FROM command) | false",
                "(in reply to DATA command) | false",
                "(in reply to end of DATA command) | false",
                "SMTP error from remote mail server after RCPT TO:<kim@example.org>: | true",
                "SMTP error from remote mail server after MAIL FROM:<me@ours.test>: | false",
                "SMTP error from remote mail server after end of data: | false",
                "SMTP error from remote mail server after pipelined end of data: | false",
            })
    void theTextTellsAtWhichCommand(String command, boolean refuses) {
        String said = "<kim@example.org>: host mx.example.org said: 550 5.1.1 User unknown " + command;
        String fields = "Action: failed\nStatus: 5.1.1\nDiagnostic-Code: smtp; 550 5.1.1 User unknown\n";
        assertThat(refuses(report(said, fields))).isEqualTo(refuses);
        assertThat(refuses(notice(said))).isEqualTo(refuses);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "Sorry, no mailbox here by that name. (#5.1.1) | true",
                "192.0.2.25 does not like recipient. Remote host said: 550 No such user | true",
                "Unrouteable address | true",
                "550 5.1.1 unknown or illegal alias | true",
                "Der Benutzer existiert nicht | true",
                "该用户不存在 | true",
                "Sorry, the mailbox is full. (#5.2.2) | false",
                "192.0.2.25 does not like recipient. Remote host said: 550 Administrative prohibition | false",
                "Connected to 192.0.2.25 but sender was rejected. Remote host said: 550 5.1.1 No such user | false",
                "192.0.2.25 failed on DATA command. Remote host said: 550 5.1.1 No such user | false",
                "192.0.2.25 failed after I sent the message. Remote host said: 550 5.1.1 No such user | false",
                "450 4.1.1 User unknown. I'm not going to try again; in the queue too long. | false",
                "User unknown. Retry timeout exceeded | false",
                "550 Sender verify failed | false",
                "Relay access denied | false",
            })
    void wordsDecideWhereThereAreNoFields(String said, boolean refuses) {
        assertThat(refuses(notice("<kim@example.org>:\n" + said))).isEqualTo(refuses);
    }

    @Test
    void theReasonMayStandAboveTheAddress() {
        assertThat(refuses(notice("The following recipients are unknown:\n\nkim@example.org")))
                .isTrue();
        assertThat(refuses(notice("The quota of these recipients is exceeded:\n\nkim@example.org")))
                .isFalse();
    }

    private static boolean refuses(String message) {
        byte[] raw = message.replace("\n", "\r\n").getBytes(StandardCharsets.UTF_8);
        Report report = ReportReader.read(
                        MessageParser.parse(new ByteArrayInputStream(raw)),
                        index -> PartReader.open(new ByteArrayInputStream(raw), index))
                .orElseThrow();
        return Objects.requireNonNull(((Report.Delivery) report).recipients().getFirst())
                .refusesAddress();
    }

    private static String report(String text, String fields) {
        return """
                From: MAILER-DAEMON@mx.example.org
                To: me@ours.test
                Subject: Undelivered Mail
                MIME-Version: 1.0
                Content-Type: multipart/report; report-type=delivery-status; boundary=b

                --b

                %s

                --b
                Content-Type: message/delivery-status

                Reporting-MTA: dns; mx.example.org

                Final-Recipient: rfc822; kim@example.org
                %s
                --b--
                """.formatted(text, fields);
    }

    private static String notice(String said) {
        return """
                From: MAILER-DAEMON@mx.example.org
                To: me@ours.test
                Subject: failure notice
                Content-Type: text/plain; charset=utf-8

                I'm afraid I wasn't able to deliver your message to the following addresses.
                This is a permanent error; I've given up. Sorry it didn't work out.

                %s

                --- Below this line is a copy of the message.

                Subject: Hello
                """.formatted(said);
    }
}
