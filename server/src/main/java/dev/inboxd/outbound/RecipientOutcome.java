package dev.inboxd.outbound;

import dev.inboxd.smtp.client.SmtpResult;
import org.jspecify.annotations.Nullable;

/**
 * The outcome of one delivery attempt for one recipient.
 *
 * @param state the recipient's new state
 * @param reply the other server's final reply, or our own; written to the row and the log
 * @param byItself whether the reply concerns this recipient, and not the sender or the message
 */
record RecipientOutcome(State state, String reply, boolean byItself) {
    /** Prefix of the reply that records a refusal of our own. */
    static final String REJECTION = "550 5.7.1 ";

    private static final int LONGEST_REPLY = 1_000;

    /**
     * Converts the reply, which may contain foreign text such as the message of an exception, to one line that can be
     * stored.
     */
    RecipientOutcome {
        reply = reply.codePoints()
                .map(c -> Character.isISOControl(c) ? ' ' : c)
                .filter(c -> Character.getType(c) != Character.SURROGATE)
                .limit(LONGEST_REPLY)
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
    }

    /** An outcome that concerns the whole message, or that is not a refusal. */
    RecipientOutcome(State state, String reply) {
        this(state, reply, false);
    }

    /** A refusal of our own that concerns this recipient alone. */
    static RecipientOutcome refused(String reply) {
        return new RecipientOutcome(State.BOUNCED, reply, true);
    }

    /** A refusal of our own of a message accepted before: it does not leave (ruling 24). */
    static RecipientOutcome rejected(String reason) {
        return new RecipientOutcome(State.REJECTED, REJECTION + reason, true);
    }

    /** The state of a recipient after an attempt. */
    enum State {
        /** Stored in an inbox of this server. */
        DELIVERED("delivered"),
        /** Accepted by another server that sends no delivery status notifications. */
        RELAYED("delivered"),
        /** Accepted by another server that sends the requested delivery status notifications (RFC 3461 §5.2.1). */
        ENTRUSTED("delivered"),
        /** Captured by the sandbox. */
        CAPTURED("captured"),
        /** Refused temporarily by the other server; tried again, and reported as delayed. */
        DELAYED("queued"),
        /**
         * Not tried because of a failure of this server, such as a restarting database; tried again soon, and not
         * reported.
         */
        HELD("queued"),
        /** Refused by the other server, or given up; not tried again. */
        BOUNCED("bounced"),
        /** Refused by this server before it left; not tried again. */
        REJECTED("rejected");

        private final String wireName;

        State(String wire) {
            this.wireName = wire;
        }

        /** The state's name in the row, the log and the API. */
        String wireName() {
            return wireName;
        }
    }

    /** Whether responsibility for this recipient was handed over. */
    boolean isHandedOver() {
        return switch (state) {
            case DELIVERED, RELAYED, ENTRUSTED, CAPTURED -> true;
            case DELAYED, HELD, BOUNCED, REJECTED -> false;
        };
    }

    /** Whether another server has taken the message, so that the reply is its answer. */
    boolean isRelayed() {
        return state == State.RELAYED || state == State.ENTRUSTED;
    }

    /** The outcome of an attempt that failed because of this server. */
    static RecipientOutcome held() {
        return new RecipientOutcome(State.HELD, "451 4.3.0 Temporary failure of the sending server");
    }

    /** Whether the recipient is tried again. */
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

    /** The enhanced status code in a reply such as {@code 550 5.1.1 No such user}; null when there is none. */
    @Nullable
    String enhancedStatus() {
        String[] words = reply.split(" ", 3);
        boolean has = words.length > 1 && words[1].length() >= 5 && words[1].charAt(1) == '.';
        return has ? words[1] : null;
    }
}
