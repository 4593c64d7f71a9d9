package dev.inboxd.outbound;

import dev.inboxd.smtp.client.SmtpResult;
import org.jspecify.annotations.Nullable;

/**
 * What became of one recipient in one attempt.
 *
 * @param state how it stands now
 * @param reply the other server's last word, or our own; goes into the row and the log
 * @param byItself whether the reply was to this very recipient, and not to the sender or to the message
 */
record RecipientOutcome(State state, String reply, boolean byItself) {
    /** How the reply begins that stands for our own refusal. */
    static final String REJECTION = "550 5.7.1 ";

    private static final int LONGEST_REPLY = 1_000;

    /** What others had a hand in, such as the text of a failure, becomes one line that can be stored. */
    RecipientOutcome {
        reply = reply.codePoints()
                .map(c -> Character.isISOControl(c) ? ' ' : c)
                .filter(c -> Character.getType(c) != Character.SURROGATE)
                .limit(LONGEST_REPLY)
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
    }

    /** An outcome that the message shares, or that is no refusal. */
    RecipientOutcome(State state, String reply) {
        this(state, reply, false);
    }

    /** A refusal of our own of this very recipient. */
    static RecipientOutcome refused(String reply) {
        return new RecipientOutcome(State.BOUNCED, reply, true);
    }

    /** We ourselves refuse what was accepted before, and nothing leaves (ruling 24). */
    static RecipientOutcome rejected(String reason) {
        return new RecipientOutcome(State.REJECTED, REJECTION + reason, true);
    }

    /** How a recipient stands. */
    enum State {
        /** Stored in an inbox of ours. */
        DELIVERED("delivered"),
        /** Taken by another server, of which nothing more need be heard. */
        RELAYED("delivered"),
        /** Taken by another server that tells the sender what the sender wants to be told (RFC 3461 §5.2.1). */
        ENTRUSTED("delivered"),
        /** Captured by the sandbox. */
        CAPTURED("captured"),
        /** Put off by the other server; to be tried again, and told. */
        DELAYED("queued"),
        /** Held up by a failure of our own, such as a database that is just restarting; to be tried again soon. */
        HELD("queued"),
        /** Never to be tried again. */
        BOUNCED("bounced"),
        /** Refused by ourselves before it left; never to be tried again. */
        REJECTED("rejected");

        private final String wireName;

        State(String wire) {
            this.wireName = wire;
        }

        /** The word in the row. */
        String wireName() {
            return wireName;
        }
    }

    /** Whether the message has left our hands for this recipient. */
    boolean isHandedOver() {
        return switch (state) {
            case DELIVERED, RELAYED, ENTRUSTED, CAPTURED -> true;
            case DELAYED, HELD, BOUNCED, REJECTED -> false;
        };
    }

    /** An attempt that failed because of ourselves. */
    static RecipientOutcome held() {
        return new RecipientOutcome(State.HELD, "451 4.3.0 Temporary failure of our own");
    }

    /** Whether it is to be tried again. */
    boolean isOpen() {
        return state == State.DELAYED || state == State.HELD;
    }

    /** The outcome of an SMTP attempt. */
    static RecipientOutcome of(SmtpResult result) {
        return switch (result) {
            case SmtpResult.Success accepted ->
                new RecipientOutcome(
                        accepted.sendsDsn() ? State.ENTRUSTED : State.RELAYED,
                        accepted.reply().toString());
            case SmtpResult.TransientFailure later -> new RecipientOutcome(State.DELAYED, later.reason());
            case SmtpResult.PermanentFailure never ->
                new RecipientOutcome(State.BOUNCED, never.reply().toString(), never.byItself());
        };
    }

    /** The enhanced status code in a reply such as {@code 550 5.1.1 No such user}, or null. */
    @Nullable
    String enhancedStatus() {
        String[] words = reply.split(" ", 3);
        boolean has = words.length > 1 && words[1].length() >= 5 && words[1].charAt(1) == '.';
        return has ? words[1] : null;
    }
}
