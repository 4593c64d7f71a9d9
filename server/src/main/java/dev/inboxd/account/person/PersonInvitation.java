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
                %s invites you to inboxd,
                an email inbox service for software agents.
                %s

                %s

                    %s/console/enter

                If you do not know the sender, ignore this email. You join only when you
                sign in. The invitation expires in 7 days.
                """.formatted(inviter(), words(), how(), publicUrl));
    }

    private String how() {
        if (isElsewhere) {
            return """
                This address already belongs to another organization here, and an address can
                belong to only one. To accept, sign in, leave that organization under People, and
                sign in again within 7 days. Or ask for an invitation to another address.""";
        }
        return "To accept, sign in within 7 days. You get a code by email at\n" + human + ":";
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
            case READ -> "You can see everything and change nothing.";
            case APPROVE -> "You can see everything, approve or reject outgoing mail, and stop it.";
            case OWN -> "You can do everything, as an owner.";
        };
    }
}
