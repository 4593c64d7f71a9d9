package dev.inboxd.screening;

import dev.inboxd.base.database.Database;
import dev.inboxd.base.database.View;
import dev.inboxd.base.error.ErrorCode;
import dev.inboxd.base.error.Problem;
import dev.inboxd.base.id.Uuid7;
import dev.inboxd.base.json.JsonObject;
import dev.inboxd.mailbox.message.Message;
import dev.inboxd.mailbox.message.Messages;
import java.time.Instant;
import java.util.Locale;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** What readers of messages say of the verdicts on them (ruling 87). */
final class SecurityFeedback {
    /** Opinions on one message. */
    private static final int MOST = 20;

    private final Database database;

    SecurityFeedback(Database database) {
        this.database = database;
    }

    /** What a verdict was. */
    enum Opinion {
        /** It was right to have the message looked at. */
        CORRECT_REVIEW,
        /** The message was harmless. */
        INCORRECT_REVIEW,
        /** The message was found clear and is not. */
        MISSED_THREAT,
        /** It instructs an agent, and may. */
        LEGITIMATE_AGENT_INSTRUCTION,
        /** It is unwanted for another reason. */
        SPAM_OR_PHISHING;

        /** The word on the wire and in the row. */
        String wireName() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** A stored opinion. */
    record Entry(UUID id, Opinion opinion, @Nullable String notes, Instant createdAt) {
        JsonObject json() {
            return JsonObject.of("feedback_id", id)
                    .with("feedback", opinion.wireName())
                    .with("notes", notes)
                    .with("created_at", createdAt);
        }
    }

    /**
     * Stores an opinion on the verdict on a message that the view shows.
     *
     * @param name the public id of the message
     * @throws Problem {@code not_found}; {@code conflict} for a message without a verdict; {@code limit_exceeded}
     */
    Entry add(View view, String name, Opinion opinion, @Nullable String notes) {
        return database.write(view.organization(), tx -> {
            Message message = Messages.find(tx, view, name).orElseThrow(() -> Problem.notFound("Message"));
            if (message.security() == null) {
                throw Problem.of(
                        ErrorCode.CONFLICT,
                        "There is no verdict on the message",
                        "Mail is judged as it comes in, while the organization has it monitored or held.");
            }
            View all = View.of(view.organization());
            if (SecurityFeedbackSql.count(tx, all, message.id()) >= MOST) {
                throw Problem.limit(
                        "opinions on the message",
                        MOST,
                        "A message has at most " + MOST + " opinions on its verdict",
                        "There is nothing to do: those that were given are kept.");
            }
            Entry entry = new Entry(Uuid7.next(), opinion, notes, tx.next().at());
            SecurityFeedbackSql.insert(tx, all, message.id(), entry);
            return entry;
        });
    }
}
