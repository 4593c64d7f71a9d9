package dev.inboxd.sending.feedback;

import dev.inboxd.mail.smtp.EnhancedStatus;
import org.jspecify.annotations.Nullable;

/** What a believed report says about one recipient. */
sealed interface ReportedOutcome {
    /**
     * The message was not delivered, and will not be attempted again.
     *
     * @param status the reason, or null when the report gives none
     * @param diagnostic the reply of the other server, may be empty
     * @param isOfTheAddress whether the address itself was refused, so that further mail to it is useless
     */
    record Failure(@Nullable EnhancedStatus status, String diagnostic, boolean isOfTheAddress)
            implements ReportedOutcome {
        BounceType type() {
            return BounceType.of(status == null ? 0 : status.kind(), status == null ? null : status.toString());
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
