package dev.inboxd.submit;

import dev.inboxd.database.RoundTrip;
import dev.inboxd.database.Tx;
import dev.inboxd.domain.FeedbackOption;
import dev.inboxd.id.Uuid7;
import dev.inboxd.mail.compose.Composition;
import dev.inboxd.mail.compose.HeaderField;
import dev.inboxd.mail.compose.Mailbox;
import dev.inboxd.mail.compose.StatusReport;
import dev.inboxd.mail.report.Action;
import dev.inboxd.mail.smtp.EnhancedStatus;
import dev.inboxd.mail.smtp.RecipientDsn;
import dev.inboxd.mail.smtp.RecipientDsn.Notify;
import dev.inboxd.message.Contents;
import dev.inboxd.message.Messages;
import dev.inboxd.submission.Submissions;
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
final class Reports {
    private static final Logger LOG = LoggerFactory.getLogger(Reports.class);
    /** RFC 3461 §5.2.5 leaves it to us when a delay is worth a mail. */
    private static final Duration UNUSUAL = Duration.ofHours(4);
    /** A larger message returns with its header alone, whatever was asked for. */
    private static final int LARGEST = 256 * 1024;

    private final Messages messages;
    private final Contents contents;
    private final Submissions submissions;
    private final String host;

    /** Reports of the server of that name. */
    Reports(Courier.Parts parts, String host) {
        this.messages = parts.messages();
        this.contents = parts.contents();
        this.submissions = parts.submissions();
        this.host = host;
    }

    /**
     * What a report returns of the message.
     *
     * @param name its Message-ID; null when there will be no report, or nothing to return
     * @param octets the beginning of it
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Copy(@Nullable String name, byte[] octets) {
        private static final Copy NONE = new Copy(null, new byte[0]);

        private StatusReport.@Nullable Returned returned(boolean whole) {
            if (whole && octets.length <= LARGEST) {
                return octets.length == 0 ? null : new StatusReport.Returned(octets, true);
            }
            for (int i = 3; i < octets.length; i++) {
                if (octets[i] == '\n' && octets[i - 1] == '\r' && octets[i - 2] == '\n' && octets[i - 3] == '\r') {
                    return new StatusReport.Returned(Arrays.copyOf(octets, i - 1), false);
                }
            }
            return null;
        }
    }

    /** Reads what may be returned. Without it there is still a report. */
    Copy copy(Parcel parcel) {
        if (parcel.message() == null || parcel.recipients().stream().noneMatch(Reports::mayBeTold)) {
            return Copy.NONE;
        }
        try {
            Messages.Found found = messages.find(parcel.view(), parcel.message()).orElse(null);
            if (found == null) {
                return Copy.NONE;
            }
            try (InputStream in = contents.open(parcel.organization(), found.content())) {
                return new Copy(found.message().name(), in.readNBytes(LARGEST + 1));
            }
        } catch (IOException | RuntimeException away) {
            LOG.warn("Reports about submission {} return nothing of it: {}", parcel.submission(), away.toString());
            return Copy.NONE;
        }
    }

    private static boolean mayBeTold(Parcel.Recipient recipient) {
        return !recipient.dsn().conditions().isEmpty() && !recipient.dsn().asksFor(Notify.NEVER);
    }

    /** What is told of one recipient. */
    private record Told(Parcel.Recipient recipient, Outcome outcome, Action action) {}

    /** A report to make, and from what. */
    record Due(Parcel parcel, List<Told> told, Copy copy, Instant at) {
        private Action worst() {
            return told.stream().map(Told::action).min(Action::compareTo).orElseThrow();
        }

        private String inbox() {
            return parcel.reversePath();
        }

        private String domain() {
            return inbox().substring(inbox().lastIndexOf('@') + 1);
        }
    }

    /** The report that is due on a parcel, if one is. */
    static Optional<Due> due(Settlements.Ended ended, Map<Parcel.Recipient, Outcome> settled, Instant now) {
        boolean late = !now.isBefore(ended.parcel().queuedAt().plus(UNUSUAL));
        List<Told> told = new ArrayList<>();
        settled.forEach((recipient, outcome) -> {
            Action action = action(recipient, outcome, late);
            if (action != null) {
                told.add(new Told(recipient, outcome, action));
            }
        });
        return told.isEmpty() ? Optional.empty() : Optional.of(new Due(ended.parcel(), told, ended.copy(), now));
    }

    /** What the sender asked to be told of this recipient now, or null. */
    private static @Nullable Action action(Parcel.Recipient recipient, Outcome outcome, boolean late) {
        RecipientDsn dsn = recipient.dsn();
        return switch (outcome.state()) {
            case DELIVERED -> dsn.asksFor(Notify.SUCCESS) ? Action.DELIVERED : null;
            case RELAYED, CAPTURED -> dsn.asksFor(Notify.SUCCESS) ? Action.RELAYED : null;
            case BOUNCED, REJECTED -> dsn.asksFor(Notify.FAILURE) ? Action.FAILED : null;
            case DELAYED -> dsn.asksFor(Notify.DELAY) && late && !recipient.delayTold() ? Action.DELAYED : null;
            case ENTRUSTED, HELD -> null;
        };
    }

    /** Queues a report in the transaction that settles what it tells, unless its domain wants none in its inboxes. */
    void queue(Tx tx, Due due) {
        Parcel parcel = due.parcel;
        due.told.stream().filter(each -> each.action == Action.DELAYED)
                .forEach(each -> OutgoingSql.delayTold(tx, parcel, each.recipient));
        if (!FeedbackOption.isOn(tx, parcel.view(), due.domain())) {
            return;
        }
        StatusReport report = new StatusReport(
                new StatusReport.Message(parcel.dsn().envelopeId(), host, parcel.queuedAt()),
                due.told.stream().map(each -> recipient(due, each)).toList(),
                due.copy.returned(parcel.dsn().isFull() && due.worst() == Action.FAILED)); // RFC 3461 §4.3
        byte[] raw = report.composed(composition(due)).bytes();
        RoundTrip trip = tx.roundTrip();
        // The null reverse-path: nobody reports on a report (RFC 3461 §5.2).
        submissions.queueWith(tx, trip, parcel.organization(), new Submissions.NewSubmission(null, parcel.inbox(), "", raw,
                List.of(due.inbox())));
        trip.run();
    }

    private Composition composition(Due due) {
        // A success joins no thread: it would count there as the answer of a machine (Breaker).
        boolean joins = due.copy.name != null && (due.worst() == Action.FAILED || due.worst() == Action.DELAYED);
        List<String> about = joins ? List.of(String.valueOf(due.copy.name)) : List.of();
        StringBuilder words = new StringBuilder("You wanted to be told about your message that " + host + " has taken.\n");
        due.told.forEach(each -> words.append('\n').append(each.recipient.address()).append(": ").append(words(each.action))
                .append("\n    ").append(each.outcome.reply()).append('\n'));
        return new Composition(
                new Composition.Addresses(new Mailbox("Mail Delivery System", "postmaster@" + due.domain()),
                        List.of(new Mailbox(null, due.inbox())), List.of(), List.of()),
                new Composition.Identification("<" + Uuid7.next() + "@" + due.domain() + ">", about, about),
                "Delivery report: " + word(due.worst()), due.at,
                List.of(new HeaderField("Auto-Submitted", "auto-replied")), // RFC 3834 §5
                new Composition.Body(words.toString(), null, List.of()));
    }

    /** RFC 3464 §2.3.3. */
    private static String word(Action action) {
        return action.name().toLowerCase(Locale.ROOT);
    }

    private static String words(Action action) {
        return switch (action) {
            case FAILED -> "not delivered, and not tried any more.";
            case DELAYED -> "not delivered yet. It is tried on until five days are over.";
            case DELIVERED, EXPANDED -> "delivered.";
            case RELAYED -> "passed on to a server that makes no such reports.";
        };
    }

    private static StatusReport.Recipient recipient(Due due, Told told) {
        RecipientDsn dsn = told.recipient.dsn();
        String reply = told.outcome.reply();
        boolean smtp = !reply.isEmpty() && Character.isDigit(reply.charAt(0));
        return new StatusReport.Recipient(dsn.originalRecipient(), RecipientDsn.typed(told.recipient.address()),
                word(told.action), status(told.outcome, told.action), (smtp ? "smtp; " : "x-inboxd; ") + reply, due.at,
                told.action == Action.DELAYED ? due.parcel.queuedAt().plus(Settlement.GIVE_UP) : null);
    }

    /** The other server's code where it says what the action says; after five days it says why nobody tries on. */
    private static String status(Outcome outcome, Action action) {
        String kinds = switch (action) {
            case FAILED -> "54";
            case DELAYED -> "4";
            case DELIVERED, RELAYED, EXPANDED -> "2";
        };
        String written = outcome.enhancedStatus();
        try {
            return written != null && kinds.indexOf(written.charAt(0)) >= 0 ? EnhancedStatus.parse(written).toString()
                    : kinds.charAt(0) + ".0.0";
        } catch (IllegalArgumentException none) {
            return kinds.charAt(0) + ".0.0";
        }
    }
}
