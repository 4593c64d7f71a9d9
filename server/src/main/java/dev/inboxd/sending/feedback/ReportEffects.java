package dev.inboxd.sending.feedback;

import dev.inboxd.base.database.Tx;
import dev.inboxd.base.database.View;
import dev.inboxd.base.json.JsonObject;
import dev.inboxd.base.log.LogLine;
import dev.inboxd.event.EventLog;
import dev.inboxd.event.EventType;
import dev.inboxd.mailbox.label.LabelChange;
import dev.inboxd.mailbox.label.Labels;
import dev.inboxd.mailbox.label.change.LabelChangeBatch;
import dev.inboxd.mailbox.message.Message;
import dev.inboxd.mailbox.message.MessageEvents;
import dev.inboxd.mailbox.message.Messages;
import dev.inboxd.mailbox.thread.WaitingSql;
import dev.inboxd.tenant.list.Lists;
import java.util.List;
import java.util.Optional;

/**
 * Applies believed reports in one transaction: the recipient's row, the message's label, the event, and the list entry
 * that blocks further mail to the address. A repeated report has no effect.
 */
final class ReportEffects {
    private final Tx tx;
    private final View all;
    private final EventLog log;

    /** Effects in a transaction of the organization; the view is the whole organization. */
    ReportEffects(Tx tx, View all, EventLog log) {
        this.tx = tx;
        this.all = all;
        this.log = log;
    }

    void of(RecipientReport report) {
        FeedbackSql.now(tx, all, report.recipient()).ifPresent(line -> {
            boolean bounced = line.state().equals("bounced");
            boolean isNew = switch (report.outcome()) {
                case ReportedOutcome.Failure failed -> !bounced && failed(report, failed);
                case ReportedOutcome.Delay _ -> !bounced && delayed(report);
                case ReportedOutcome.Complaint complained -> !line.complained() && complained(report, complained);
            };
            if (isNew) {
                LogLine.of("feedback")
                        .with("organization_id", report.organization())
                        .with("submission_id", report.recipient().submission())
                        .with("recipient", report.recipient().address())
                        .with("outcome", outcomeName(report.outcome()))
                        .write();
            }
        });
    }

    private static String outcomeName(ReportedOutcome outcome) {
        return switch (outcome) {
            case ReportedOutcome.Failure _ -> "bounce";
            case ReportedOutcome.Delay _ -> "delay";
            case ReportedOutcome.Complaint _ -> "complaint";
        };
    }

    private boolean failed(RecipientReport report, ReportedOutcome.Failure failed) {
        List<String> recipients = List.of(report.recipient().address());
        if (!FeedbackSql.bounced(tx, all, report, failed.reply())) {
            return false;
        }
        labelAndNotify(
                        report,
                        Labels.BOUNCED,
                        EventType.MESSAGE_BOUNCED,
                        new MessageEvents.Detail("bounce", failed.type().json(recipients)))
                .ifPresent(message -> WaitingSql.returned(
                        tx, all, message.id(), message.place().thread()));
        if (failed.isOfTheAddress() && mayBlock(report)) { // only for mail of the organization, not of the service
            Lists.suppress(tx, all, recipients, Lists.Cause.BOUNCED);
        }
        return true;
    }

    private boolean complained(RecipientReport report, ReportedOutcome.Complaint complained) {
        List<String> recipients = List.of(report.recipient().address());
        FeedbackSql.complained(tx, all, report.recipient());
        labelAndNotify(
                report,
                Labels.COMPLAINED,
                EventType.MESSAGE_COMPLAINED,
                new MessageEvents.Detail(
                        "complaint",
                        JsonObject.of("type", complained.type())
                                .with("sub_type", complained.subType())
                                .with("recipients", recipients)));
        if (mayBlock(report)) {
            Lists.suppress(tx, all, recipients, Lists.Cause.COMPLAINED);
        }
        return true;
    }

    /**
     * Whether the report may block the address. Without proof by the return path, another recipient of the same message
     * could have written it.
     */
    private static boolean mayBlock(RecipientReport report) {
        return report.proven() && report.mail().id() != null;
    }

    /** A delay only adds a label: there is no event for it (events.md §4.1). */
    private boolean delayed(RecipientReport report) {
        Optional<Message> message =
                message(report).filter(original -> !original.labels().contains(Labels.DELAYED));
        message.ifPresent(original -> {
            EventLog.EventBatch events = log.appending(tx, all);
            LabelChangeBatch.relabel(tx, original, LabelChange.adding(Labels.DELAYED), events);
            events.write();
        });
        return message.isPresent();
    }

    /** Returns the message, if it is one of an inbox, and still there. */
    private Optional<Message> labelAndNotify(
            RecipientReport report, String label, EventType type, MessageEvents.Detail detail) {
        Optional<Message> message = message(report);
        message.ifPresent(before -> {
            EventLog.EventBatch events = log.appending(tx, all);
            Message after = LabelChangeBatch.relabel(tx, before, LabelChange.adding(label), events);
            MessageEvents.add(events, type, after, detail);
            events.write();
        });
        return message;
    }

    private Optional<Message> message(RecipientReport report) {
        return report.mail().id() == null
                ? Optional.empty()
                : Messages.find(tx, all, report.mail().id());
    }
}
