package dev.inboxd.account.person;

import dev.inboxd.base.access.Role;
import dev.inboxd.queue.SystemMail;
import java.net.URI;

/** The mail that invites a person. All its words are ours, but for the two addresses. */
final class PersonInvitation {
    private PersonInvitation() {}

    /**
     * The mail.
     *
     * @param by who invites: an address, or the word for the operator
     */
    static SystemMail.SystemMessage compose(String human, Role role, String by, URI publicUrl) {
        return new SystemMail.SystemMessage(
                human, by + " invites you to inboxd", """
                %s invites you to look after the mail of software agents.
                %s

                Sign in here with this address, %s; a code comes by mail:

                    %s/console/enter

                If you do not know who that is, ignore this mail. To be taken off, sign in and choose
                "Leave" at People.
                """.formatted(by, words(role), human, publicUrl));
    }

    private static String words(Role role) {
        return switch (role) {
            case READ -> "You may see everything, and change nothing.";
            case APPROVE -> "You may see everything, decide which mail may leave, and stop it.";
            case OWN -> "You may do everything, as may whoever invites you.";
        };
    }
}
