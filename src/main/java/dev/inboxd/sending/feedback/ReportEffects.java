package dev.inboxd.sending.feedback;

import dev.inboxd.event.EventLog;
import dev.inboxd.event.EventType;
import dev.inboxd.mailbox.label.LabelChange;
import dev.inboxd.mailbox.label.Labels;
import dev.inboxd.mailbox.message.Message;
import dev.inboxd.mailbox.message.MessageEvents;
import dev.inboxd.mailbox.message.Messages;
import dev.inboxd.platform.database.Tx;
import dev.inboxd.platform.database.View;
import dev.inboxd.platform.json.JsonObject;
import dev.inboxd.platform.log.LogLine;
import dev.inboxd.tenant.list.Lists;
import java.util.List;
import java.util.Optional;

/**
 * What follows from what is believed, in one transaction: the recipient's row, the message's label, the event, and the entry
 * that keeps mail from being sent there again. Whoever reports twice is heard once.
 */
final class ReportEffects {
    private final Tx tx;
    private final View all;
    private final EventLog log;

    /** Consequences in a transaction of the organization that the view shows whole. */
    ReportEffects(Tx tx, View all, EventLog log) {
        this.tx = tx;
        this.all = all;
        this.log = log;
    }

    void of(RecipientReport finding) {
        FeedbackSql.now(tx, all, finding.recipient()).ifPresent(line -> {
            boolean bounced = line.state().equals("bounced");
            boolean isNew = switch (finding.outcome()) {
                case ReportedOutcome.Failure failed -> !bounced && failed(finding, failed);
                case ReportedOutcome.Delay _ -> !bounced && delayed(finding);
                case ReportedOutcome.Complaint complained -> !line.complained() && complained(finding, complained);
            };
            if (isNew) {
                LogLine.of("feedback")
                        .with("organization_id", finding.organization())
                        .with("submission_id", finding.recipient().submission())
                        .with("recipient", finding.recipient().address())
                        .with("news", finding.outcome().getClass().getSimpleName())
                        .write();
            }
        });
    }

    private boolean failed(RecipientReport finding, ReportedOutcome.Failure failed) {
        List<String> recipients = List.of(finding.recipient().address());
        if (!FeedbackSql.bounced(tx, all, finding, failed.reply())) {
            return false;
        }
        tell(
                finding,
                Labels.BOUNCED,
                EventType.MESSAGE_BOUNCED,
                "bounce",
                failed.type().json(recipients));
        if (failed.isOfTheAddress() && mayBlock(finding)) { // lists are for the organization's own mail
            Lists.suppress(tx, all, recipients, Lists.Cause.BOUNCED, tx.next().at());
        }
        return true;
    }

    private boolean complained(RecipientReport finding, ReportedOutcome.Complaint complained) {
        List<String> recipients = List.of(finding.recipient().address());
        FeedbackSql.complained(tx, all, finding.recipient());
        tell(
                finding,
                Labels.COMPLAINED,
                EventType.MESSAGE_COMPLAINED,
                "complaint",
                JsonObject.of("type", complained.type())
                        .with("sub_type", complained.subType())
                        .with("recipients", recipients));
        if (mayBlock(finding)) {
            Lists.suppress(
                    tx, all, recipients, Lists.Cause.COMPLAINED, tx.next().at());
        }
        return true;
    }

    /** Another recipient of the same message could have written what no return path of its own proves. */
    private static boolean mayBlock(RecipientReport finding) {
        return finding.proven() && finding.mail().id() != null;
    }

    /** A delay is shown by its label alone: there is no event for it (events.md §4.1). */
    private boolean delayed(RecipientReport finding) {
        Optional<Message> message =
                message(finding).filter(found -> !found.labels().contains(Labels.DELAYED));
        message.ifPresent(found -> {
            EventLog.EventBatch events = log.appending(tx, all);
            Messages.relabel(tx, found, LabelChange.adding(Labels.DELAYED), events);
            events.write();
        });
        return message.isPresent();
    }

    private void tell(RecipientReport finding, String label, EventType type, String member, JsonObject more) {
        message(finding).ifPresent(before -> {
            EventLog.EventBatch events = log.appending(tx, all);
            Message after = Messages.relabel(tx, before, LabelChange.adding(label), events);
            MessageEvents.add(events, type, after, member, more);
            events.write();
        });
    }

    private Optional<Message> message(RecipientReport finding) {
        return finding.mail().id() == null
                ? Optional.empty()
                : Messages.find(tx, all, finding.mail().id());
    }
}
