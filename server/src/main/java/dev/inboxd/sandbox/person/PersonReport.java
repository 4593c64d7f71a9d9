package dev.inboxd.sandbox.person;

import dev.inboxd.base.json.JsonBody;
import dev.inboxd.mail.address.AddrSpec;
import dev.inboxd.mail.compose.Composition;
import dev.inboxd.mail.compose.CustomHeaderField;
import dev.inboxd.mail.compose.Mailbox;
import dev.inboxd.mail.compose.StatusReport;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Objects;

/** The reports that somebody's server sends to the return path of a mail. */
final class PersonReport {
    private PersonReport() {}

    /** A delivery status notification of a failure (RFC 3464). */
    static byte[] bounce(ReactionSql.PendingReaction reaction, JsonBody what, SentMail sent) {
        String domain = AddrSpec.parse(reaction.recipient()).domain();
        String reply = what.string("text").orElse("550 5.1.1 No such person");
        return new StatusReport(
                        new StatusReport.Message(null, "mx." + domain, reaction.at()),
                        List.of(new StatusReport.Recipient(
                                null,
                                "rfc822; " + reaction.recipient(),
                                "failed",
                                "5.1.1",
                                "smtp; " + reply,
                                reaction.at(),
                                null)),
                        new StatusReport.ReturnedContent(sent.header(), false))
                .composed(new Composition(
                        new Composition.Addresses(
                                new Mailbox("Mail Delivery System", "mailer-daemon@" + domain),
                                List.of(new Mailbox(
                                        null, Objects.requireNonNullElse(reaction.returnPath(), "nobody@" + domain))),
                                List.of(),
                                List.of()),
                        new Composition.Identification("<" + reaction.id() + "@" + domain + ">", List.of(), List.of()),
                        "Undelivered Mail Returned to Sender",
                        reaction.at(),
                        List.of(new CustomHeaderField("Auto-Submitted", "auto-replied")),
                        new Composition.Body(
                                "Your message could not be delivered to " + reaction.recipient() + ":\n" + reply + "\n",
                                null,
                                List.of())))
                .bytes();
    }

    /** A feedback report of a complaint (RFC 5965). */
    static byte[] complaint(ReactionSql.PendingReaction reaction, SentMail sent) {
        String domain = AddrSpec.parse(reaction.recipient()).domain();
        ByteArrayOutputStream report = new ByteArrayOutputStream();
        report.writeBytes(complaint(reaction, domain).replace("\n", "\r\n").getBytes(StandardCharsets.UTF_8));
        report.writeBytes(sent.header());
        report.writeBytes(("\r\n--" + reaction.id() + "--\r\n").getBytes(StandardCharsets.US_ASCII));
        return report.toByteArray();
    }

    /** The parts before the header of the mail. */
    private static String complaint(ReactionSql.PendingReaction reaction, String domain) {
        String date = DateTimeFormatter.RFC_1123_DATE_TIME.format(reaction.at().atOffset(ZoneOffset.UTC));
        return """
            From: Feedback <feedback@%1$s>
            To: <%2$s>
            Subject: Complaint
            Date: %3$s
            Message-ID: <%4$s@%1$s>
            MIME-Version: 1.0
            Content-Type: multipart/report; report-type=feedback-report; boundary="%4$s"

            --%4$s
            Content-Type: text/plain; charset=utf-8

            The recipient marked this mail as unwanted.

            --%4$s
            Content-Type: message/feedback-report

            Feedback-Type: abuse
            User-Agent: Sandbox/1
            Version: 1
            Original-Mail-From: <%2$s>
            Original-Rcpt-To: <%5$s>

            --%4$s
            Content-Type: text/rfc822-headers

            """.formatted(domain, reaction.returnPath(), date, reaction.id(), reaction.recipient());
    }
}
