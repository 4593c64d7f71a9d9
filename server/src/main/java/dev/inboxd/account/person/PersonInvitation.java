package dev.inboxd.account.person;

import dev.inboxd.base.access.Role;
import dev.inboxd.mail.address.AddrSpec;
import dev.inboxd.mail.address.DomainName;
import dev.inboxd.queue.SystemMail;
import java.net.URI;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The mail that invites a person. All its words are ours, but for the two addresses.
 *
 * @param human who is invited
 * @param by who invites; null for the operator
 * @param isElsewhere whether the person is behind another organization, which the inviter does not learn
 */
record PersonInvitation(String human, Role role, @Nullable String by, boolean isElsewhere) {
    /** RFC 5322 §3.2.3, in ASCII: what can be a sentence is quoted, and not shown. */
    private static final Pattern DOT_ATOM =
            Pattern.compile("(?=.{1,64}@)[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(\\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*@.+");

    SystemMail.SystemMessage compose(URI publicUrl) {
        return new SystemMail.SystemMessage(
                human, "You are invited to inboxd", """
                %s invites you to look after the mail of software agents.
                %s

                %s

                    %s/console/enter

                If you do not know who that is, ignore this mail: you are nowhere until you sign in, and the
                invitation ends by itself in 7 days.
                """.formatted(inviter(), words(), how(), publicUrl));
    }

    private String how() {
        return isElsewhere
                ? """
                You sign in to another organization here by this address, and an address can
                be behind one alone. To accept, sign in, leave that one at People, and sign in
                again within 7 days. Or ask to be invited by another address."""
                : "To accept, sign in here within 7 days with the address\n" + human + "; a code comes by mail:";
    }

    private String inviter() {
        if (by == null) {
            return "The operator";
        }
        String domain = DomainName.asciiOrItself(AddrSpec.parse(by).domain());
        return DOT_ATOM.matcher(by).matches()
                ? by.substring(0, by.lastIndexOf('@') + 1) + domain
                : "Somebody at " + domain;
    }

    private String words() {
        return switch (role) {
            case READ -> "You may see everything, and change nothing.";
            case APPROVE -> "You may see everything, decide which mail may leave, and stop it.";
            case OWN -> "You may do everything, as may whoever invites you.";
        };
    }
}
