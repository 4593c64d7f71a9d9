package dev.inboxd.outbound;

import dev.inboxd.mail.compose.Composition;
import dev.inboxd.mail.compose.CustomHeaderField;
import dev.inboxd.mail.compose.Mailbox;
import dev.inboxd.mail.compose.StatusReport;
import dev.inboxd.mail.report.DsnAction;
import dev.inboxd.mail.smtp.EnhancedStatus;
import dev.inboxd.mail.smtp.RecipientDsn;
import dev.inboxd.mail.smtp.RecipientDsn.Notify;
import dev.inboxd.mailbox.message.MessageContents;
import dev.inboxd.mailbox.message.Messages;
import dev.inboxd.platform.database.Database;
import dev.inboxd.platform.database.RoundTrip;
import dev.inboxd.platform.database.Tx;
import dev.inboxd.platform.id.Uuid7;
import dev.inboxd.queue.SubmissionQueue;
import dev.inboxd.tenant.domain.FeedbackOption;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reports by mail, for who asked for them when submitting (RFC 3461 §5.2). They come into the inbox that sent, through the
 * queue, in the commit that settles what they tell; who did not ask has labels and events alone.
 */
final class DsnReports {
    private static final Logger LOG = LoggerFactory.getLogger(DsnReports.class);
    /** RFC 3461 §5.2.5 leaves it to us when a delay is worth a mail. */
    private static final Duration UNUSUAL = Duration.ofHours(4);
    /** A larger message returns with its header alone, whatever was asked for. */
    private static final int LARGEST = 256 * 1024;

    private final Database database;
    private final Messages messages;
    private final MessageContents contents;
    private final SubmissionQueue submissions;
    private final String host;

    /** Reports of the server of that name. */
    DsnReports(Courier.Parts parts, String host) {
        this.database = parts.database();
        this.messages = parts.messages();
        this.contents = parts.contents();
        this.submissions = parts.submissions();
        this.host = host;
    }

    /**
     * What a report returns of the message.
     *
     * @param name its Message-ID; null when there is nothing to return
     * @param octets the beginning of it
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record ReturnedMessage(@Nullable String name, byte[] octets) {
        private static final ReturnedMessage NONE = new ReturnedMessage(null, new byte[0]);

        private StatusReport.@Nullable ReturnedContent returned(boolean whole) {
            if (whole && octets.length <= LARGEST) {
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
     * A report that was made before the transaction that queues it.
     *
     * @param told what it tells
     * @param raw null when its domain wants none in its inboxes
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record PreparedReport(List<ReportedRecipient> told, ReturnedMessage copy, byte @Nullable [] raw) {}

    /** What was found out before it is made. */
    private record ReportContext(Instant now, boolean wanted) {}

    /**
     * Reads and composes the report that is due when these outcomes are written down now; null when none is. The
     * transaction does it, without the message, when that turns out otherwise or when it cannot be done here.
     */
    @Nullable
    PreparedReport prepare(QueueItem parcel, Map<QueueItem.Recipient, RecipientOutcome> outcomes) {
        if (!mayBeDue(outcomes)) {
            return null;
        }
        try {
            ReportContext moment = database.read(tx -> new ReportContext(
                    tx.sql("select {now} as now").one(row -> row.instant("now")),
                    FeedbackOption.isOn(tx, parcel.view(), domain(parcel))));
            List<ReportedRecipient> told =
                    told(parcel, DeliveryResultBatch.asOf(parcel, outcomes, moment.now), moment.now);
            if (told.isEmpty()) {
                return null;
            }
            ReturnedMessage copy = moment.wanted ? copy(parcel) : ReturnedMessage.NONE;
            return new PreparedReport(
                    told, copy, moment.wanted ? composed(new DueReport(parcel, told, moment.now, null), copy) : null);
        } catch (RuntimeException later) {
            LOG.warn("A report about submission {} is not made ahead: {}", parcel.submission(), later.toString());
            return null;
        }
    }

    /** Whether a report is due on some of these outcomes, at any time. */
    static boolean mayBeDue(Map<QueueItem.Recipient, RecipientOutcome> outcomes) {
        return outcomes.entrySet().stream()
                .anyMatch(entry -> action(entry.getKey(), entry.getValue(), true) != null
                        || action(entry.getKey(), DeliveryResultBatch.atLast(entry.getValue()), true) != null);
    }

    /** Reads what may be returned. Without it there is still a report. */
    private ReturnedMessage copy(QueueItem parcel) {
        if (parcel.message() == null) {
            return ReturnedMessage.NONE;
        }
        try {
            Messages.FullMessage found =
                    messages.find(parcel.view(), parcel.message()).orElse(null);
            if (found == null) {
                return ReturnedMessage.NONE;
            }
            try (InputStream in = contents.open(parcel.organization(), found.content())) {
                return new ReturnedMessage(found.message().name(), in.readNBytes(LARGEST + 1));
            }
        } catch (IOException | RuntimeException away) {
            LOG.warn("Reports about submission {} return nothing of it: {}", parcel.submission(), away.toString());
            return ReturnedMessage.NONE;
        }
    }

    /** What is told of one recipient. */
    record ReportedRecipient(QueueItem.Recipient recipient, RecipientOutcome outcome, DsnAction action) {}

    /** A report that is due, and perhaps made already. */
    record DueReport(
            QueueItem parcel,
            List<ReportedRecipient> told,
            Instant at,
            @Nullable PreparedReport prepared) {
        private DsnAction worst() {
            return told.stream()
                    .map(ReportedRecipient::action)
                    .min(DsnAction::compareTo)
                    .orElseThrow();
        }

        private String inbox() {
            return parcel.reversePath();
        }
    }

    private static String domain(QueueItem parcel) {
        return parcel.reversePath().substring(parcel.reversePath().lastIndexOf('@') + 1);
    }

    /** The report that is due on a parcel, if one is. */
    static Optional<DueReport> due(
            DeliveryResultWriter.ItemResult ended, Map<QueueItem.Recipient, RecipientOutcome> settled, Instant now) {
        List<ReportedRecipient> told = told(ended.parcel(), settled, now);
        return told.isEmpty()
                ? Optional.empty()
                : Optional.of(new DueReport(ended.parcel(), told, now, ended.report()));
    }

    private static List<ReportedRecipient> told(
            QueueItem parcel, Map<QueueItem.Recipient, RecipientOutcome> settled, Instant now) {
        boolean late = !now.isBefore(parcel.queuedAt().plus(UNUSUAL));
        List<ReportedRecipient> told = new ArrayList<>();
        settled.forEach((recipient, outcome) -> {
            DsnAction action = action(recipient, outcome, late);
            if (action != null) {
                told.add(new ReportedRecipient(recipient, outcome, action));
            }
        });
        return told;
    }

    /** What the sender asked to be told of this recipient now, or null. */
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

    /** Queues a report in the transaction that settles what it tells, unless its domain wants none in its inboxes. */
    void queue(Tx tx, DueReport due) {
        QueueItem parcel = due.parcel;
        due.told.stream()
                .filter(each -> each.action == DsnAction.DELAYED)
                .forEach(each -> DeliveryQueueSql.markDelayReported(tx, parcel, each.recipient));
        PreparedReport prepared = due.prepared;
        byte[] raw = prepared != null && prepared.told.equals(due.told) ? prepared.raw : made(tx, due);
        if (raw == null) {
            return;
        }
        RoundTrip trip = tx.roundTrip();
        // The null reverse-path: nobody reports on a report (RFC 3461 §5.2).
        submissions.appendTo(
                tx,
                trip,
                parcel.organization(),
                new SubmissionQueue.NewSubmission(null, parcel.inbox(), "", raw, List.of(due.inbox())));
        trip.run();
    }

    /** Some of what was settled is not ours any more, or the time has come in between. */
    private byte @Nullable [] made(Tx tx, DueReport due) {
        if (!FeedbackOption.isOn(tx, due.parcel.view(), domain(due.parcel))) {
            return null;
        }
        try {
            return composed(due, due.prepared == null ? ReturnedMessage.NONE : due.prepared.copy);
        } catch (RuntimeException broken) { // what the other server has taken must be written down all the same
            LOG.error("A report about submission {} cannot be made", due.parcel.submission(), broken);
            return null;
        }
    }

    private byte[] composed(DueReport due, ReturnedMessage copy) {
        QueueItem parcel = due.parcel;
        StatusReport report = new StatusReport(
                new StatusReport.Message(parcel.dsn().envelopeId(), host, parcel.queuedAt()),
                due.told.stream().map(each -> recipient(due, each)).toList(),
                copy.returned(parcel.dsn().isFull() && due.worst() == DsnAction.FAILED)); // RFC 3461 §4.3
        return report.composed(composition(due, copy)).bytes();
    }

    private Composition composition(DueReport due, ReturnedMessage copy) {
        // A success joins no thread: it would count there as the answer of a machine (Breaker).
        boolean joins = copy.name != null && (due.worst() == DsnAction.FAILED || due.worst() == DsnAction.DELAYED);
        List<String> about = joins ? List.of(String.valueOf(copy.name)) : List.of();
        StringBuilder words =
                new StringBuilder("You wanted to be told about your message that " + host + " has taken.\n");
        due.told.forEach(each -> words.append('\n')
                .append(each.recipient.address())
                .append(": ")
                .append(words(each.action))
                .append("\n    ")
                .append(each.outcome.reply())
                .append('\n'));
        return new Composition(
                new Composition.Addresses(
                        new Mailbox("Mail Delivery System", "postmaster@" + domain(due.parcel)),
                        List.of(new Mailbox(null, due.inbox())),
                        List.of(),
                        List.of()),
                new Composition.Identification("<" + Uuid7.next() + "@" + domain(due.parcel) + ">", about, about),
                "Delivery report: " + word(due.worst()),
                due.at,
                List.of(new CustomHeaderField("Auto-Submitted", "auto-replied")), // RFC 3834 §5
                new Composition.Body(words.toString(), null, List.of()));
    }

    /** RFC 3464 §2.3.3. */
    private static String word(DsnAction action) {
        return action.name().toLowerCase(Locale.ROOT);
    }

    private static String words(DsnAction action) {
        return switch (action) {
            case FAILED -> "not delivered, and not tried any more.";
            case DELAYED -> "not delivered yet. It is tried on until five days are over.";
            case DELIVERED, EXPANDED -> "delivered.";
            case RELAYED -> "passed on to a server that makes no such reports.";
        };
    }

    private static StatusReport.Recipient recipient(DueReport due, ReportedRecipient told) {
        RecipientDsn dsn = told.recipient.dsn();
        String reply = told.outcome.reply();
        boolean smtp = !reply.isEmpty() && Character.isDigit(reply.charAt(0));
        return new StatusReport.Recipient(
                dsn.originalRecipient(),
                RecipientDsn.typed(told.recipient.address()),
                word(told.action),
                status(told.outcome, told.action),
                (smtp ? "smtp; " : "x-inboxd; ") + reply,
                due.at,
                told.action == DsnAction.DELAYED ? due.parcel.queuedAt().plus(DeliveryResultBatch.GIVE_UP) : null);
    }

    /** The other server's code where it says what the action says; after five days it says why nobody tries on. */
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
