package dev.inboxd.submit;

import dev.inboxd.database.Database;
import dev.inboxd.database.Tx;
import dev.inboxd.event.EventLog;
import dev.inboxd.event.EventType;
import dev.inboxd.json.JsonObject;
import dev.inboxd.label.LabelChange;
import dev.inboxd.label.Labels;
import dev.inboxd.lists.Lists;
import dev.inboxd.log.LogLine;
import dev.inboxd.message.Message;
import dev.inboxd.message.MessageEvents;
import dev.inboxd.message.Messages;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Writes down how the recipients of a parcel fared: their rows, the message's labels and the events, all in one commit,
 * so that state and events never differ (contract: events.md §4.3, rulings 24 and 25).
 */
final class Settlement {
    /** RFC 5321 §4.5.4.1: 4 to 5 days. */
    private static final Duration GIVE_UP = Duration.ofDays(5);
    private static final Duration FIRST_PAUSE = Duration.ofMinutes(5);
    private static final Duration OWN_PAUSE = Duration.ofSeconds(1);
    private static final Duration LONGEST_PAUSE = Duration.ofHours(4);

    private final Database database;
    private final EventLog log;

    Settlement(Database database, EventLog log) {
        this.database = database;
        this.log = log;
    }

    /** Settles what can be settled and says when the rest is due again. */
    void settle(Parcel parcel, Map<Parcel.Recipient, Outcome> outcomes) {
        Decided decided = database.write(parcel.organization(), tx -> {
            Instant now = tx.next().at();
            boolean old = now.isAfter(parcel.queuedAt().plus(GIVE_UP));
            Map<Parcel.Recipient, Outcome> last = new LinkedHashMap<>();
            outcomes.forEach((recipient, outcome) -> {
                Outcome decision = old ? atLast(outcome) : outcome;
                // Only what this claim still holds is told: a repeat of this very settlement tells nothing twice.
                if (OutgoingSql.settle(tx, parcel, recipient, decision, pause(recipient, decision))) {
                    last.put(recipient, decision);
                }
            });
            if (parcel.message() != null && !last.isEmpty()) {
                Messages.find(tx, parcel.view(), parcel.message()).ifPresent(message -> tell(tx, parcel, message, last));
            }
            return new Decided(now, last);
        });
        decided.outcomes.forEach((recipient, outcome) -> {
            Duration pause = pause(recipient, outcome);
            LogLine.of("delivery").with("submission_id", parcel.submission())
                    .with("organization_id", parcel.organization()).with("recipient", recipient.address())
                    .with("state", outcome.state().wire()).with("reply", outcome.reply())
                    .with("attempt", recipient.attempt())
                    .with("next_attempt_at", pause == null ? null : decided.at.plus(pause)).write();
        });
    }

    private record Decided(Instant at, Map<Parcel.Recipient, Outcome> outcomes) {}

    /** After five days what is still delayed has bounced. */
    private static Outcome atLast(Outcome outcome) {
        return outcome.isOpen()
                ? new Outcome(Outcome.State.BOUNCED, "451 4.4.7 Given up after 5 days: " + outcome.reply()) : outcome;
    }

    private static @Nullable Duration pause(Parcel.Recipient recipient, Outcome outcome) {
        if (!outcome.isOpen()) {
            return null;
        }
        // What we held up ourselves has a schedule of its own, and leaves that of the other server alone.
        boolean own = outcome.state() == Outcome.State.HELD;
        int doublings = Math.min(own ? recipient.held() : recipient.attempt() - 1, 10);
        Duration pause = (own ? OWN_PAUSE : FIRST_PAUSE).multipliedBy(1L << doublings);
        Duration longest = own ? FIRST_PAUSE : LONGEST_PAUSE;
        return pause.compareTo(longest) < 0 ? pause : longest;
    }

    private void tell(Tx tx, Parcel parcel, Message message, Map<Parcel.Recipient, Outcome> outcomes) {
        EventLog.Appending events = log.appending(tx, parcel.view());
        Set<String> labels = new LinkedHashSet<>();
        List<String> taken = addresses(outcomes, Outcome.State.DELIVERED, Outcome.State.CAPTURED);
        List<String> bounced = addresses(outcomes, Outcome.State.BOUNCED);
        if (!taken.isEmpty()) {
            labels.add(Labels.DELIVERED);
        }
        if (outcomes.values().stream().anyMatch(outcome -> outcome.state() == Outcome.State.DELAYED)) {
            labels.add(Labels.DELAYED);
        }
        if (!bounced.isEmpty()) {
            labels.add(Labels.BOUNCED);
        }
        List<String> reasons = reasons(outcomes);
        if (!reasons.isEmpty()) {
            labels.add(Labels.REJECTED);
        }
        Message after = Messages.relabel(tx, message, new LabelChange(labels, Set.of()), events);
        if (!taken.isEmpty() && OutgoingSql.markHandedOver(tx, parcel)) {
            MessageEvents.add(events, EventType.MESSAGE_SENT, after, "send",
                    JsonObject.of("recipients", bare(after.people().recipients())));
        }
        if (!taken.isEmpty()) {
            MessageEvents.add(events, EventType.MESSAGE_DELIVERED, after, "delivery", JsonObject.of("recipients", taken));
        }
        Bounce.kinds(outcomes).forEach((kind, addresses) ->
                MessageEvents.add(events, EventType.MESSAGE_BOUNCED, after, "bounce", kind.json(addresses)));
        reasons.forEach(reason ->
                MessageEvents.add(events, EventType.MESSAGE_REJECTED, after, "reject", JsonObject.of("reason", reason)));
        Lists.suppress(tx, parcel.view(), Bounce.ofTheAddress(outcomes), Lists.Cause.BOUNCED, tx.next().at());
        events.write();
    }

    private static List<String> addresses(Map<Parcel.Recipient, Outcome> outcomes, Outcome.State... states) {
        return outcomes.entrySet().stream().filter(entry -> List.of(states).contains(entry.getValue().state()))
                .map(entry -> entry.getKey().address()).sorted().toList();
    }

    /** Why we refused what had been accepted, a sentence for each reason. */
    private static List<String> reasons(Map<Parcel.Recipient, Outcome> outcomes) {
        Map<String, List<String>> byReply = new TreeMap<>();
        outcomes.forEach((recipient, outcome) -> {
            if (outcome.state() == Outcome.State.REJECTED) {
                byReply.computeIfAbsent(outcome.reply().substring(Outcome.REJECTION.length()), _ -> new ArrayList<>())
                        .add(recipient.address());
            }
        });
        return byReply.entrySet().stream().map(entry -> entry.getKey() + ": " + String.join(", ", entry.getValue())).toList();
    }

    private static List<String> bare(List<String> recipients) {
        return recipients.stream().map(text -> {
            int open = text.lastIndexOf('<');
            return open < 0 ? text : text.substring(open + 1, text.length() - 1);
        }).distinct().toList();
    }
}
