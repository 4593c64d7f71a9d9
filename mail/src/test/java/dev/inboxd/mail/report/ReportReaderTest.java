package dev.inboxd.mail.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.inboxd.mail.message.MessageParser;
import dev.inboxd.mail.message.PartReader;
import dev.inboxd.mail.smtp.EnhancedStatus;
import java.io.ByteArrayInputStream;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is read in reports, and that nothing in them does harm. */
@Tag("alone")
class ReportReaderTest {
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
    private static final long MOST_NANOS = 2_000_000_000L;
    private static final String HEAD = "From: MAILER-DAEMON@mx.test\nTo: me@ours.test\nSubject: Undelivered Mail\n";

    private static Optional<Report> read(String message) {
        byte[] raw = message.replace("\n", "\r\n").getBytes(StandardCharsets.UTF_8);
        return ReportReader.read(
                MessageParser.parse(new ByteArrayInputStream(raw)),
                index -> PartReader.open(new ByteArrayInputStream(raw), index));
    }

    private static Report.Delivery delivery(String message) {
        return (Report.Delivery) read(message).orElseThrow();
    }

    private static String multipart(String type, String... parts) {
        StringBuilder message = new StringBuilder(HEAD)
                .append("MIME-Version: 1.0\nContent-Type: multipart/report; report-type=")
                .append(type)
                .append("; boundary=b\n\n");
        List.of(parts).forEach(part -> message.append("--b\n").append(part).append("\n"));
        return message.append("--b--\n").toString();
    }

    @Test
    void eachRecipientHasItsOwnFields() {
        Report.Delivery report = delivery(multipart(
                "delivery-status",
                "\nSome words\n",
                "Content-Type: message/delivery-status\n\nReporting-MTA: dns; mx.test\n\n"
                        + "Original-Recipient: rfc822;One@x.test\nFinal-Recipient: rfc822; local@inside.test\n"
                        + "Action: failed\n"
                        + "Status: 5.0.0\nDiagnostic-Code: smtp; 550 5.1.1 <local@inside.test>\n  no such user\n\n"
                        + "Final-Recipient: two@x.test\nAction: DELAYED (for now)\nStatus: 4.4.1\n\n"
                        + "Final-Recipient: rfc822; \"odd one\"@x.test\nAction: relayed\nStatus: 2.1.9\n",
                "Content-Type: text/rfc822-headers\n\nReturn-Path: <bounce+1@ours.test>\nReceived: by mx.test;\n"
                        + "  today\nMessage-ID:\n <1@ours.test>\nTo: One <one@x.test>,\n two@x.test\n"));
        RecipientStatus.Answer none = new RecipientStatus.Answer("", false);
        assertThat(report.recipients())
                .containsExactly(
                        new RecipientStatus(
                                "One@x.test",
                                DsnAction.FAILED,
                                new EnhancedStatus(5, 1, 1),
                                new RecipientStatus.Answer("550 5.1.1 <local@inside.test> no such user", true)),
                        new RecipientStatus("two@x.test", DsnAction.DELAYED, new EnhancedStatus(4, 4, 1), none),
                        new RecipientStatus(
                                "\"odd one\"@x.test", DsnAction.RELAYED, new EnhancedStatus(2, 0, 0), none));
        assertThat(report.original())
                .isEqualTo(new ReportedMessage(
                        "<1@ours.test>", "bounce+1@ours.test", List.of("one@x.test", "two@x.test"), false));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "550 5.7.1 <a@x.test>... Relaying denied                      | 5.7.1",
                "550-5.1.1 The email account does not exist                   | 5.1.1",
                "host mx[192.0.2.4] said: 552 mailbox full (in reply to RCPT) | 5.2.2",
                "Sorry, no mailbox here by that name. (#5.1.1)                | 5.1.1",
                "Connection timed out                                         | 4.4.1",
                "unknown user                                                 | 5.1.1",
                "Unknown host: x.test                                         | 5.1.2",
                "Message size exceeds fixed maximum                           | 5.3.4",
                "450 try again later                                          | 4.3.2",
                "MTA version 5.1.2.8 of 4.5.6.7 said 554                      | 5.0.0",
            })
    void theReasonIsACodeOrElseWords(String said, String status) {
        Report.Delivery report =
                delivery(HEAD + "\nDelivery to the following recipient failed permanently:\n\n  <a@x.test>:\n" + said
                        + "\n\n--- Below this line is a copy of the message.\n\nTo: b@x.test\nReceived: 421 5.5.5\n");
        assertThat(report.recipients()).singleElement().satisfies(one -> {
            assertThat(one.address()).isEqualTo("a@x.test");
            assertThat(one.action()).isEqualTo(DsnAction.FAILED);
            assertThat(String.valueOf(one.status())).isEqualTo(status);
        });
    }

    @Test
    void aDelayIsNoFailureAndEachRecipientHasItsOwnReason() {
        Report.Delivery delayed = delivery(HEAD.replace("Undelivered Mail", "Warning: message delayed")
                + "\nYour message to the following recipient has not yet been delivered:\n\n  a@x.test\n"
                + "    Delay reason: connection refused\n\nDelivery attempts will continue.\n");
        assertThat(delayed.recipients()).extracting(RecipientStatus::action).containsExactly(DsnAction.DELAYED);
        Report.Delivery two = delivery(HEAD + "\nThe following addresses failed:\n\n<a@x.test>: 550 user unknown\n"
                + "<b@x.test>: 552 over quota\n");
        assertThat(two.recipients())
                .extracting(one -> one.address() + " " + one.status())
                .containsExactly("a@x.test 5.1.1", "b@x.test 5.2.2");
    }

    @Test
    void lettersAndAutomaticAnswersAreNoReports() {
        assertThat(read("From: jo@x.test\nSubject: Hello\n\n"
                        + "The package could not be delivered to ann@x.test. 550 tons.\n"))
                .isEmpty();
        assertThat(read("From: jo@x.test\nAuto-Submitted: auto-replied\nSubject: Away\n\n"
                        + "I am away and cannot be reached.\n"))
                .isEmpty();
        assertThat(read("")).isEmpty();
    }

    @Test
    void aFeedbackReportNamesItsMessageAndWhoComplains() {
        Report.Feedback report = (Report.Feedback) read(multipart(
                        "feedback-report",
                        "\nWords\n",
                        "Content-Type: message/feedback-report\n\nFeedback-Type: Abuse\nUser-Agent: X/1\nVersion: 1\n"
                                + "Original-Mail-From: <bounce+2@ours.test>\nOriginal-Rcpt-To: <a@x.test>\n",
                        "Content-Type: message/rfc822\n\nReturn-Path: <other@ours.test>\nMessage-ID: <2@ours.test>\n"
                                + "To: a@x.test\n\nHi\n"))
                .orElseThrow();
        assertThat(report.type()).isEqualTo("abuse");
        assertThat(report.isComplaint()).isTrue();
        assertThat(report.recipients()).containsExactly("a@x.test");
        assertThat(report.original().returnPath()).isEqualTo("bounce+2@ours.test");
        assertThat(report.original().messageId()).isEqualTo("<2@ours.test>");
        assertThat(new Report.Feedback("not-spam", List.of(), ReportedMessage.UNKNOWN).isComplaint())
                .isFalse();
    }

    /** Promise P14: whatever a mail is, reading it takes bounded time and memory. */
    @Test
    void nothingInAReportCostsMoreThanItsLimits() {
        String at = "@".repeat(200_000);
        String addresses =
                IntStream.range(0, 6_000).mapToObj(i -> "a" + i + "@x.test").collect(Collectors.joining("\n"));
        String lines = "To: <a@x.test>\n".repeat(60_000);
        String fields = "Final-Recipient: rfc822; a@x.test\nAction: failed\n\n".repeat(50_000);
        String quotes = "\"".repeat(100_000) + "@x.test" + "\"a".repeat(50_000) + "@x.test";
        for (String part : List.of(
                at, addresses, lines, quotes, "4.".repeat(100_000), "550 ".repeat(60_000), " ".repeat(300_000))) {
            assertThat(nanos(HEAD + "\nfailed permanently\n" + part)).isLessThan(MOST_NANOS);
        }
        String status = multipart("delivery-status", "Content-Type: message/delivery-status\n\n" + fields);
        assertThat(nanos(status)).isLessThan(MOST_NANOS);
        assertThat(delivery(status).recipients()).hasSize(100);
    }

    @Test
    void damagedReportsAreReadWithoutHarm() {
        String whole = multipart(
                "delivery-status",
                "\nWe could not deliver <a@x.test>: 550 5.1.1 unknown\n",
                "Content-Type: message/delivery-status\n\nReporting-MTA: dns; x\n\nFinal-Recipient: rfc822; a@x.test\n"
                        + "Action: failed\nStatus: 5.1.1\n",
                "Content-Type: message/rfc822\n\nMessage-ID: <1@x.test>\n\nHi\n");
        Random random = new Random(3464);
        for (int i = 0; i < 5_000; i++) {
            StringBuilder damaged = new StringBuilder(whole);
            for (int j = 0; j < 1 + i % 8; j++) {
                int place = random.nextInt(damaged.length());
                switch (random.nextInt(3)) {
                    case 0 -> damaged.setCharAt(place, (char) random.nextInt(256));
                    case 1 -> damaged.deleteCharAt(place);
                    default -> damaged.insert(place, "\"<>@:;.\n =5".charAt(random.nextInt(11)));
                }
            }
            assertThatCode(() -> read(damaged.toString())).doesNotThrowAnyException();
        }
    }

    /** Of processor time, which no other load makes more. */
    private static long nanos(String message) {
        long before = THREADS.getCurrentThreadCpuTime();
        read(message);
        return THREADS.getCurrentThreadCpuTime() - before;
    }
}
