package dev.inboxd.sending.feedback;

import dev.inboxd.mail.smtp.EnhancedStatus;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What a believed report says about one recipient. */
sealed interface ReportedOutcome {
    /**
     * The message was not delivered, and will not be attempted again.
     *
     * @param status the reason, or null when the report gives none
     * @param diagnostic the reply of the other server, may be empty
     */
    record Failure(@Nullable EnhancedStatus status, String diagnostic) implements ReportedOutcome {
        /**
         * Status codes of the address itself: no such mailbox, host or syntax, moved without a new address, a domain
         * that accepts no mail, a disabled mailbox, a host that does not exist (RFC 3463 §3.2, §3.3, §3.5; RFC 7505).
         * Codes of the sender's address (x.1.7, x.1.8), of a full mailbox, of the message, the system or a policy are
         * not among them.
         */
        private static final Set<String> OF_THE_ADDRESS =
                Set.of("5.1.1", "5.1.2", "5.1.3", "5.1.6", "5.1.10", "5.2.1", "5.4.4");

        BounceType type() {
            return BounceType.of(status == null ? 0 : status.kind(), status == null ? null : status.toString());
        }

        /** Whether the address itself is invalid, so that further mail to it is useless. */
        boolean isOfTheAddress() {
            return status != null && OF_THE_ADDRESS.contains(status.toString());
        }

        /** The reply of the other server as it is stored with the recipient. */
        String reply() {
            return (status == null ? "Reported as failed" : status + " Reported")
                    + (diagnostic.isEmpty() ? "" : ": ")
                    + diagnostic;
        }
    }

    /** The message is delayed; delivery is still attempted. */
    record Delay() implements ReportedOutcome {}

    /**
     * The recipient complained about the message.
     *
     * @param type the Feedback-Type of RFC 5965, in lower case
     */
    record Complaint(String type) implements ReportedOutcome {
        String subType() {
            return type.equals("abuse") ? "spam" : "general";
        }
    }
}
