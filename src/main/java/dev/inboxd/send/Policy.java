package dev.inboxd.send;

import dev.inboxd.inbox.Inbox;
import dev.inboxd.database.Database;
import dev.inboxd.error.Code;
import dev.inboxd.error.Problem;
import dev.inboxd.mail.compose.AddrSpec;
import dev.inboxd.organization.Organization;
import dev.inboxd.organization.Organizations;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Who may be written to (contract: mail.md §14.2, identity.md §6.4). */
final class Policy {
    private Policy() {}

    /**
     * Refuses a letter that may not be sent.
     *
     * @throws Problem {@code unprocessable} without recipients, {@code validation_error} with too many,
     *     {@code message_rejected} when an unverified organization writes to anybody but its human
     */
    static void check(Database database, Inbox inbox, UUID organization, Letter letter) {
        List<String> recipients = letter.envelope();
        if (recipients.isEmpty()) {
            throw Problem.of(Code.UNPROCESSABLE, "The message has no recipients", "Give to, cc or bcc.");
        }
        if (recipients.size() > Letter.MOST_RECIPIENTS) {
            throw Problem.invalid("to", "A message has at most " + Letter.MOST_RECIPIENTS + " recipients");
        }
        if (letter.extras().trackOpens() && letter.body().html() != null) {
            throw Problem.of(Code.UNPROCESSABLE, "Opens can be tracked only from a domain of your own",
                    "Send from an inbox at a domain with tracking_enabled, or leave track_opens out.");
        }
        checkHuman(database, organization, recipients);
    }

    /** Until a human has verified it, an organization writes to that human only. */
    private static void checkHuman(Database database, UUID id, List<String> recipients) {
        Optional<Organization> organization = database.read(tx -> Organizations.find(tx, id));
        if (organization.isEmpty() || !organization.get().isUnverified()) {
            return;
        }
        @Nullable String human = organization.get().humanEmail();
        List<String> others = recipients.stream().filter(each -> !normal(each).equalsIgnoreCase(human)).toList();
        if (!others.isEmpty()) {
            throw Problem.of(Code.MESSAGE_REJECTED, "Message rejected: Recipient(s) blocked: "
                    + String.join(", ", others.stream().map(each -> each + " (organization not verified)").toList()),
                    "Until it is verified, the organization writes to its human only. "
                    + "POST /v0/agent/verify with the code sent to the human.");
        }
    }

    /** With its domain in A-labels, as the human's address is stored. */
    private static String normal(String address) {
        return AddrSpec.parse("to", address).toString();
    }
}
