package dev.inboxd.sending.feedback;

/** Reports as servers write them. */
final class ReportSamples {
    private ReportSamples() {}

    /** A delivery status notification (RFC 3464) about one recipient. */
    static String status(String to, String recipient, String fields, String quoted) {
        return """
                From: Mail Delivery System <MAILER-DAEMON@mx.victim.test>
                To: %s
                Subject: Undelivered Mail Returned to Sender
                Auto-Submitted: auto-replied
                MIME-Version: 1.0
                Content-Type: multipart/report; report-type=delivery-status; boundary="b"
                Message-ID: <%s@mx.victim.test>

                --b
                Content-Type: text/plain

                Something is to be said about your message.

                --b
                Content-Type: message/delivery-status

                Reporting-MTA: dns; mx.victim.test

                Final-Recipient: rfc822; %s
                %s

                --b
                Content-Type: text/rfc822-headers

                %s

                --b--
                """.formatted(to, System.nanoTime(), recipient, fields, quoted);
    }

    /** A notice without any structure. */
    static String notice(String to, String recipient, String said) {
        return """
                From: MAILER-DAEMON@mx.victim.test
                To: %s
                Subject: failure notice
                Message-ID: <%s@mx.victim.test>

                Hi. This is the mail program at mx.victim.test.
                I'm afraid I wasn't able to deliver your message to the following addresses.
                This is a permanent error; I've given up. Sorry it didn't work out.

                <%s>:
                %s

                --- Below this line is a copy of the message.

                Subject: Hello
                """.formatted(to, System.nanoTime(), recipient, said);
    }

    /** A feedback report (RFC 5965). */
    static String feedback(String type, String fields, String quoted) {
        return """
                From: feedback@victim.test
                To: abuse@mail.localhost
                Subject: Complaint
                MIME-Version: 1.0
                Content-Type: multipart/report; report-type=feedback-report; boundary="b"
                Message-ID: <%s@victim.test>

                --b
                Content-Type: text/plain

                This is a report.

                --b
                Content-Type: message/feedback-report

                Feedback-Type: %s
                User-Agent: Test/1
                Version: 1
                %s

                --b
                Content-Type: message/rfc822

                %s
                Subject: Hello

                Hi
                --b--
                """.formatted(System.nanoTime(), type, fields, quoted);
    }
}
