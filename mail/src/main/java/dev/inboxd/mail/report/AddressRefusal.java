package dev.inboxd.mail.report;

import dev.inboxd.mail.address.AddrSpec;
import dev.inboxd.mail.smtp.EnhancedStatus;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Tells a refusal of a recipient's address from every other one. Further mail to such an address is useless; what is
 * refused for the sender, the message, the route, a policy, a quota or a time may be taken tomorrow (RFC 5321 §4.2.3:
 * 550 also means "rejected for policy reasons"). In doubt it is another one.
 */
public final class AddressRefusal {
    /**
     * Status codes of the address: no such mailbox, no such host, its syntax, moved without a new address, a domain
     * that takes no mail, a disabled mailbox, a host that has no route (RFC 3463 §3.2, §3.3, §3.5; RFC 7505).
     */
    private static final Set<EnhancedStatus> STATUSES = Set.of(
            new EnhancedStatus(5, 1, 1),
            new EnhancedStatus(5, 1, 2),
            new EnhancedStatus(5, 1, 3),
            new EnhancedStatus(5, 1, 6),
            new EnhancedStatus(5, 1, 10),
            new EnhancedStatus(5, 2, 1),
            new EnhancedStatus(5, 4, 4));

    /** Addresses of people to ask, which replies name. */
    private static final Set<String> CONTACTS = Set.of(
            "postmaster", "abuse", "admin", "administrator", "hostmaster", "support", "help", "helpdesk", "info");

    private AddressRefusal() {}

    /**
     * Whether a reply to RCPT refuses the address.
     *
     * @param reply on one line, such as {@code 550 5.1.1 No such user}
     * @param address the recipient
     */
    public static boolean isMeantBy(String reply, String address) {
        return reply.startsWith("5") && isMeantBy(null, reply, List.of(address));
    }

    /**
     * Whether what a server or a report says refuses the address.
     *
     * @param written the status that the report has in a field of its own, or null
     * @param said the reply, with or without its codes
     * @param addresses how the recipient may be called
     */
    static boolean isMeantBy(@Nullable EnhancedStatus written, String said, Collection<String> addresses) {
        StatusCodes.Codes codes = StatusCodes.of(said);
        EnhancedStatus own = codes.leading() != null ? codes.leading() : StatusCodes.enhanced(said);
        boolean isTemporary = (written != null && written.kind() != 5)
                || (own != null && own.kind() != 5)
                || (codes.reply() != 0 && codes.reply() < 500);
        ReplyWords text = ReplyWords.of(said);
        if (isTemporary || UnknownRecipientWords.areOfAnotherCommand(text.words())) {
            return false;
        }
        EnhancedStatus leading = codes.leading();
        if (leading != null && !StatusCodes.isVague(leading)) {
            return STATUSES.contains(leading);
        }
        EnhancedStatus telling = own != null && !StatusCodes.isVague(own) ? own : written;
        if (telling != null && !StatusCodes.isVague(telling)) {
            return STATUSES.contains(telling) && !UnknownRecipientWords.areContrary(text);
        }
        return UnknownRecipientWords.sayUnknown(text) && isAbout(text.mentioned(), addresses);
    }

    /** Whether a whole notice tells of another command than RCPT, so that it is no refusal of an address. */
    static boolean isOfAnotherCommand(String notice) {
        return UnknownRecipientWords.areOfAnotherCommand(ReplyWords.of(notice).words());
    }

    /** Whether the addresses that a reply names, if any, are the recipient's: it may name the sender alone. */
    private static boolean isAbout(List<String> mentioned, Collection<String> addresses) {
        List<String> named = mentioned.stream()
                .filter(address -> !CONTACTS.contains(localPart(address)))
                .toList();
        return named.isEmpty()
                || named.stream().anyMatch(address -> addresses.stream().anyMatch(own -> areAlike(address, own)));
    }

    /** Whether both may be the same mailbox: servers rewrite domains within theirs, and keep local parts. */
    private static boolean areAlike(String named, String own) {
        String first = domain(named);
        String second = domain(own);
        return AddrSpec.areOfOnePerson(named, own)
                || localPart(named).equals(localPart(own))
                || first.equals(second)
                || first.endsWith("." + second)
                || second.endsWith("." + first);
    }

    private static String domain(String address) {
        return address.substring(address.lastIndexOf('@') + 1).toLowerCase(Locale.ROOT);
    }

    private static String localPart(String address) {
        return address.substring(0, Math.max(0, address.lastIndexOf('@'))).toLowerCase(Locale.ROOT);
    }
}
