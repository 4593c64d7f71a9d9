package dev.inboxd.sending.compose;

import dev.inboxd.base.database.Tx;
import dev.inboxd.base.error.ErrorCode;
import dev.inboxd.base.error.Problem;
import dev.inboxd.tenant.inbox.AddressDirectory;
import dev.inboxd.tenant.list.Direction;
import dev.inboxd.tenant.list.ListLookup;
import dev.inboxd.tenant.list.ListVerdict;
import dev.inboxd.tenant.organization.Organization;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Which recipients may be written to (mail.md §14.2, identity.md §6.4). */
public final class RecipientPolicy {
    private RecipientPolicy() {}

    /**
     * Rejects a message that may not be sent.
     *
     * @param organization the sending organization; null when it is known to be verified, or deleted, which the
     *     transaction that stores the message notices
     * @throws Problem {@code unprocessable} without recipients, {@code validation_error} with too many,
     *     {@code message_rejected} when an unverified organization writes to anybody but its human
     */
    public static void check(@Nullable Organization organization, List<String> recipients) {
        if (recipients.isEmpty()) {
            throw Problem.of(ErrorCode.UNPROCESSABLE, "The message has no recipients", "Give to, cc or bcc.");
        }
        if (recipients.size() > OutgoingMessage.MOST_RECIPIENTS) {
            throw Problem.invalid("to", "A message has at most " + OutgoingMessage.MOST_RECIPIENTS + " recipients");
        }
        checkHuman(organization, recipients);
    }

    /**
     * Rejects a message with a blocked recipient; one is enough to reject it for all. A bounce from before the
     * recipient was an inbox here no longer counts.
     *
     * @throws Problem {@code message_rejected}, with each blocked recipient and the remedy
     */
    public static void check(Tx tx, ListLookup lists, UUID inbox, List<String> recipients) {
        List<String> refused = new ArrayList<>();
        Set<String> remedies = new LinkedHashSet<>();
        for (String recipient : recipients) {
            ListVerdict verdict = lists.verdict(inbox, Direction.SEND, recipient);
            if (verdict instanceof ListVerdict.Blocked blocked && isOutdated(tx, blocked)) {
                lists.remove(blocked);
                verdict = lists.verdict(inbox, Direction.SEND, recipient);
            }
            if (verdict.isBlocked()) {
                refused.add(recipient + " (" + verdict.reason() + ")");
                remedies.add(String.valueOf(verdict.remedy()));
            }
        }
        if (!refused.isEmpty()) {
            throw rejected(refused, String.join(" ", remedies));
        }
    }

    /** Asked by the key of the address, which lies on one node of a cluster, and only for what a bounce has blocked. */
    private static boolean isOutdated(Tx tx, ListVerdict.Blocked blocked) {
        return blocked.isOfBounce() && AddressDirectory.isOpen(tx, blocked.listed());
    }

    private static Problem rejected(List<String> refused, String fix) {
        return Problem.of(
                ErrorCode.MESSAGE_REJECTED,
                "Message rejected: Recipient(s) blocked: " + String.join(", ", refused),
                fix);
    }

    /** An organization that no human has verified may write to its human only. */
    private static void checkHuman(@Nullable Organization organization, List<String> recipients) {
        if (organization == null || !organization.isUnverified()) {
            return;
        }
        @Nullable String human = organization.humanEmail();
        List<String> others = recipients.stream()
                .filter(recipient -> !recipient.equalsIgnoreCase(human))
                .toList();
        if (!others.isEmpty()) {
            throw rejected(
                    others.stream()
                            .map(recipient -> recipient + " (organization not verified)")
                            .toList(),
                    "Until it is verified, the organization writes to its human only. "
                            + "POST /v0/agent/verify with the code sent to the human.");
        }
    }
}
