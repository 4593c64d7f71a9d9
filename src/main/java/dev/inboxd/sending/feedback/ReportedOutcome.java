package dev.inboxd.sending.feedback;

import dev.inboxd.mail.smtp.EnhancedStatus;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What a report that is believed says about one recipient. */
sealed interface ReportedOutcome {
    /**
     * The message was not delivered, and will not be.
     *
     * @param status why, or null when the report does not say
     * @param diagnostic what the other server said, perhaps empty
     */
    record Failure(@Nullable EnhancedStatus status, String diagnostic) implements ReportedOutcome {
        /**
         * Conditions of the address itself: no such mailbox, host or syntax, moved without a new address, a domain that
         * takes no mail, a mailbox that is shut, a host that does not exist (RFC 3463 §3.2, §3.3, §3.5; RFC 7505). Not those
         * of the sender's address (x.1.7, x.1.8), of a full mailbox, of the message, the system or a policy.
         */
        private static final Set<String> OF_THE_ADDRESS =
                Set.of("5.1.1", "5.1.2", "5.1.3", "5.1.6", "5.1.10", "5.2.1", "5.4.4");

        BounceType type() {
            return BounceType.of(status == null ? 0 : status.kind(), status == null ? null : status.toString());
        }

        /** Whether writing there again is useless. */
        boolean isOfTheAddress() {
            return status != null && OF_THE_ADDRESS.contains(status.toString());
        }

        /** The other server's word as the row of a recipient keeps it. */
        String reply() {
            return (status == null ? "Reported as failed" : status + " Reported")
                    + (diagnostic.isEmpty() ? "" : ": ")
                    + diagnostic;
        }
    }

    /** The message is not delivered yet. */
    record Delay() implements ReportedOutcome {}

    /**
     * The recipient does not want such mail.
     *
     * @param type the Feedback-Type of RFC 5965, in lower case
     */
    record Complaint(String type) implements ReportedOutcome {
        String subType() {
            return type.equals("abuse") ? "spam" : "general";
        }
    }
}
