package dev.inboxd.outbound;

import dev.inboxd.base.id.Uuid7;
import dev.inboxd.mail.compose.Composition;
import dev.inboxd.mail.compose.CustomHeaderField;
import dev.inboxd.mail.compose.Mailbox;
import dev.inboxd.mail.compose.StatusReport;
import dev.inboxd.mail.report.DsnAction;
import dev.inboxd.mail.smtp.EnhancedStatus;
import dev.inboxd.mail.smtp.RecipientDsn;
import java.util.List;
import java.util.Locale;

/** What a delivery report says (RFC 3464), and how (RFC 3834). */
final class DsnComposer {
    private final String host;

    /** Reports of the server with that host name. */
    DsnComposer(String host) {
        this.host = host;
    }

    /** The octets of a report, with what it returns of the message. */
    byte[] compose(DsnReports.DueReport due, DsnReports.ReturnedMessage copy) {
        QueueItem item = due.item();
        StatusReport report = new StatusReport(
                new StatusReport.Message(item.dsn().envelopeId(), host, item.queuedAt()),
                due.reported().stream()
                        .map(reported -> recipient(due, reported))
                        .toList(),
                copy.returned(item.dsn().isFull() && due.worst() == DsnAction.FAILED)); // RFC 3461 §4.3
        return report.composed(composition(due, copy)).bytes();
    }

    private Composition composition(DsnReports.DueReport due, DsnReports.ReturnedMessage copy) {
        // A report of success joins no thread: it would count there as an automatic reply (LoopBreaker).
        boolean joins = copy.name() != null && (due.worst() == DsnAction.FAILED || due.worst() == DsnAction.DELAYED);
        String domain = DsnReports.domain(due.item());
        List<String> about = joins ? List.of(String.valueOf(copy.name())) : List.of();
        StringBuilder text = new StringBuilder(
                "This is the delivery report that you requested. " + host + " accepted your message.\n");
        due.reported()
                .forEach(reported -> text.append('\n')
                        .append(reported.recipient().address())
                        .append(": ")
                        .append(text(reported.action()))
                        .append("\n    ")
                        .append(reported.outcome().reply())
                        .append('\n'));
        return new Composition(
                new Composition.Addresses(
                        new Mailbox("Mail Delivery System", "postmaster@" + domain),
                        List.of(new Mailbox(null, due.inbox())),
                        List.of(),
                        List.of()),
                new Composition.Identification("<" + Uuid7.next() + "@" + domain + ">", about, about),
                "Delivery report: " + actionName(due.worst()),
                due.at(),
                List.of(new CustomHeaderField("Auto-Submitted", "auto-replied")), // RFC 3834 §5
                new Composition.Body(text.toString(), null, List.of()));
    }

    /** RFC 3464 §2.3.3. */
    private static String actionName(DsnAction action) {
        return action.name().toLowerCase(Locale.ROOT);
    }

    private static String text(DsnAction action) {
        return switch (action) {
            case FAILED -> "not delivered, and not tried again.";
            case DELAYED -> "not delivered yet. Delivery is tried until five days have passed.";
            case DELIVERED, EXPANDED -> "delivered.";
            case RELAYED -> "passed on to a server that sends no such reports.";
        };
    }

    private static StatusReport.Recipient recipient(DsnReports.DueReport due, DsnReports.ReportedRecipient reported) {
        RecipientDsn dsn = reported.recipient().dsn();
        String reply = reported.outcome().reply();
        boolean smtp = !reply.isEmpty() && Character.isDigit(reply.charAt(0));
        boolean delayed = reported.action() == DsnAction.DELAYED;
        return new StatusReport.Recipient(
                dsn.originalRecipient(),
                RecipientDsn.typed(reported.recipient().address()),
                actionName(reported.action()),
                status(reported.outcome(), reported.action()),
                (smtp ? "smtp; " : "x-inboxd; ") + reply,
                due.at(),
                delayed ? due.item().queuedAt().plus(DeliverySchedule.GIVE_UP) : null);
    }

    /** The other server's status code when its class fits the action; it does not after five days of 4yz. */
    private static String status(RecipientOutcome outcome, DsnAction action) {
        String kinds = switch (action) {
            case FAILED -> "54";
            case DELAYED -> "4";
            case DELIVERED, RELAYED, EXPANDED -> "2";
        };
        String written = outcome.enhancedStatus();
        try {
            return written != null && kinds.indexOf(written.charAt(0)) >= 0
                    ? EnhancedStatus.parse(written).toString()
                    : kinds.charAt(0) + ".0.0";
        } catch (IllegalArgumentException none) {
            return kinds.charAt(0) + ".0.0";
        }
    }
}
