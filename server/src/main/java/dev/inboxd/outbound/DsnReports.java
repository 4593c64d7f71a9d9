package dev.inboxd.outbound;

import dev.inboxd.base.database.Database;
import dev.inboxd.base.database.RoundTrip;
import dev.inboxd.base.database.Tx;
import dev.inboxd.mail.compose.StatusReport;
import dev.inboxd.mail.report.DsnAction;
import dev.inboxd.mail.smtp.RecipientDsn;
import dev.inboxd.mail.smtp.RecipientDsn.Notify;
import dev.inboxd.mailbox.message.FullMessage;
import dev.inboxd.mailbox.message.MessageContents;
import dev.inboxd.mailbox.message.Messages;
import dev.inboxd.queue.SubmissionQueue;
import dev.inboxd.tenant.domain.FeedbackOption;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Delivery status notifications for senders that requested them (RFC 3461 §5.2). A report is queued for the sending
 * inbox in the commit that records the results.
 */
final class DsnReports {
    private static final Logger LOG = LoggerFactory.getLogger(DsnReports.class);
    /** Delay after which a report is sent; RFC 3461 §5.2.5 leaves the time to the server. */
    private static final Duration DELAY_WARNING = Duration.ofHours(4);
    /** Of a larger message only the header section is returned, whatever RET demands. */
    private static final int MAX_RETURNED = 256 * 1024;

    private final Database database;
    private final Messages messages;
    private final MessageContents contents;
    private final SubmissionQueue submissions;
    private final DsnComposer composer;

    /** Reports of the server with that host name. */
    DsnReports(Courier.Parts parts, String host) {
        this.database = parts.database();
        this.messages = parts.messages();
        this.contents = parts.contents();
        this.submissions = parts.submissions();
        this.composer = new DsnComposer(host);
    }

    /**
     * The part of the message that a report returns.
     *
     * @param name its Message-ID; null when there is nothing to return
     * @param octets its first octets
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record ReturnedMessage(@Nullable String name, byte[] octets) {
        private static final ReturnedMessage NONE = new ReturnedMessage(null, new byte[0]);

        /** What of it is returned: the whole message or its header section. */
        StatusReport.@Nullable ReturnedContent returned(boolean isFull) {
            if (isFull && octets.length <= MAX_RETURNED) {
                return octets.length == 0 ? null : new StatusReport.ReturnedContent(octets, true);
            }
            for (int i = 3; i < octets.length; i++) {
                if (octets[i] == '\n' && octets[i - 1] == '\r' && octets[i - 2] == '\n' && octets[i - 3] == '\r') {
                    return new StatusReport.ReturnedContent(Arrays.copyOf(octets, i - 1), false);
                }
            }
            return null;
        }
    }

    /**
     * A report composed before the transaction that queues it.
     *
     * @param reported the recipients in it
     * @param raw null when the sender's domain wants no reports in its inboxes
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record PreparedReport(List<ReportedRecipient> reported, ReturnedMessage copy, byte @Nullable [] raw) {}

    /** The time and the domain's option, read before a report is composed. */
    private record ReportContext(Instant now, boolean wantsReport) {}

    /**
     * Composes the report that is due on these outcomes now; null when none is. When the outcomes differ in the
     * transaction, it composes the report again, without the returned message.
     */
    @Nullable
    PreparedReport prepare(QueueItem item, Map<QueueItem.Recipient, RecipientOutcome> outcomes) {
        if (!mayBeDue(outcomes)) {
            return null;
        }
        try {
            ReportContext context = database.read(tx -> new ReportContext(
                    tx.sql("select {now} as now").single(row -> row.instant("now")),
                    FeedbackOption.isOn(tx, item.view(), domain(item))));
            List<ReportedRecipient> reported =
                    reported(item, DeliverySchedule.asOf(item, outcomes, context.now), context.now);
            if (reported.isEmpty()) {
                return null;
            }
            ReturnedMessage copy = context.wantsReport ? copy(item) : ReturnedMessage.NONE;
            DueReport due = new DueReport(item, reported, context.now, null);
            return new PreparedReport(reported, copy, context.wantsReport ? composer.compose(due, copy) : null);
        } catch (RuntimeException later) {
            LOG.warn("Delivery report composed late submission_id={}: {}", item.submission(), later.toString());
            return null;
        }
    }

    /** Whether a report may be due on these outcomes, at any time. */
    static boolean mayBeDue(Map<QueueItem.Recipient, RecipientOutcome> outcomes) {
        return outcomes.entrySet().stream()
                .anyMatch(entry -> action(entry.getKey(), entry.getValue(), true) != null
                        || action(entry.getKey(), DeliverySchedule.atLast(entry.getValue()), true) != null);
    }

    /** Reads the message to be returned; a report is sent without it too. */
    private ReturnedMessage copy(QueueItem item) {
        if (item.message() == null) {
            return ReturnedMessage.NONE;
        }
        try {
            FullMessage fullMessage = messages.find(item.view(), item.message()).orElse(null);
            if (fullMessage == null) {
                return ReturnedMessage.NONE;
            }
            try (InputStream in = contents.open(item.organization(), fullMessage.content())) {
                return new ReturnedMessage(fullMessage.message().name(), in.readNBytes(MAX_RETURNED + 1));
            }
        } catch (IOException | RuntimeException away) {
            LOG.warn("Delivery report without message submission_id={}: {}", item.submission(), away.toString());
            return ReturnedMessage.NONE;
        }
    }

    /** One recipient in a report. */
    record ReportedRecipient(QueueItem.Recipient recipient, RecipientOutcome outcome, DsnAction action) {}

    /** A due report, and its prepared form if there is one. */
    record DueReport(
            QueueItem item,
            List<ReportedRecipient> reported,
            Instant at,
            @Nullable PreparedReport prepared) {
        DsnAction worst() {
            return reported.stream()
                    .map(ReportedRecipient::action)
                    .min(DsnAction::compareTo)
                    .orElseThrow();
        }

        String inbox() {
            return item.reversePath();
        }
    }

    static String domain(QueueItem item) {
        return item.reversePath().substring(item.reversePath().lastIndexOf('@') + 1);
    }

    /** The report that is due on an item, if there is one. */
    static Optional<DueReport> due(ItemResult ended, Map<QueueItem.Recipient, RecipientOutcome> settled, Instant now) {
        List<ReportedRecipient> reported = reported(ended.item(), settled, now);
        return reported.isEmpty()
                ? Optional.empty()
                : Optional.of(new DueReport(ended.item(), reported, now, ended.report()));
    }

    private static List<ReportedRecipient> reported(
            QueueItem item, Map<QueueItem.Recipient, RecipientOutcome> settled, Instant now) {
        boolean late = !now.isBefore(item.queuedAt().plus(DELAY_WARNING));
        List<ReportedRecipient> reported = new ArrayList<>();
        settled.forEach((recipient, outcome) -> {
            DsnAction action = action(recipient, outcome, late);
            if (action != null) {
                reported.add(new ReportedRecipient(recipient, outcome, action));
            }
        });
        return reported;
    }

    /** The notification that the sender requested for this outcome, or null. */
    private static @Nullable DsnAction action(QueueItem.Recipient recipient, RecipientOutcome outcome, boolean late) {
        RecipientDsn dsn = recipient.dsn();
        return switch (outcome.state()) {
            case DELIVERED -> dsn.asksFor(Notify.SUCCESS) ? DsnAction.DELIVERED : null;
            case RELAYED, CAPTURED -> dsn.asksFor(Notify.SUCCESS) ? DsnAction.RELAYED : null;
            case BOUNCED, REJECTED -> dsn.asksFor(Notify.FAILURE) ? DsnAction.FAILED : null;
            case DELAYED -> dsn.asksFor(Notify.DELAY) && late && !recipient.delayReported() ? DsnAction.DELAYED : null;
            case ENTRUSTED, HELD -> null;
        };
    }

    /** Queues a report in the transaction of the results, unless the sender's domain wants none in its inboxes. */
    void queue(Tx tx, DueReport due) {
        QueueItem item = due.item;
        due.reported.stream()
                .filter(dueRecipient -> dueRecipient.action == DsnAction.DELAYED)
                .forEach(dueRecipient -> DeliveryQueueSql.markDelayReported(tx, item, dueRecipient.recipient));
        PreparedReport prepared = due.prepared;
        byte[] raw = prepared != null && prepared.reported.equals(due.reported) ? prepared.raw : compose(tx, due);
        if (raw == null) {
            return;
        }
        RoundTrip trip = tx.roundTrip();
        // The null reverse-path: no report is sent on a report (RFC 3461 §5.2).
        submissions.appendTo(
                tx,
                trip,
                item.organization(),
                new SubmissionQueue.NewSubmission(null, item.inbox(), "", raw, List.of(due.inbox())));
        trip.run();
    }

    /** Composes the report in the transaction: a claim was lost, or a time limit has passed. */
    private byte @Nullable [] compose(Tx tx, DueReport due) {
        if (!FeedbackOption.isOn(tx, due.item.view(), domain(due.item))) {
            return null;
        }
        try {
            return composer.compose(due, due.prepared == null ? ReturnedMessage.NONE : due.prepared.copy);
        } catch (RuntimeException broken) { // the acceptance by the other server must be recorded all the same
            LOG.error("Delivery report not composed, none is sent submission_id={}", due.item.submission(), broken);
            return null;
        }
    }
}
