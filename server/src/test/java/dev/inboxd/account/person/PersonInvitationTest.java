package dev.inboxd.account.person;

import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.access.Role;
import dev.inboxd.queue.SystemMail;
import java.net.URI;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The words of an invitation. */
class PersonInvitationTest {
    private static SystemMail.SystemMessage letter(@Nullable String by) {
        return new PersonInvitation("bo@people.test", Role.READ, by, false).compose(URI.create("https://inboxd.test"));
    }

    @Test
    void whatAnInviterWritesAsAnAddressIsNoSentence() {
        assertThat(letter("ann.b+c@people.test").text()).startsWith("ann.b+c@people.test invites you");
        assertThat(letter("\"pay now at evil.test\"@people.test").text())
                .startsWith("Somebody at people.test invites you");
        assertThat(letter("\u0430nn@people.test").text()).startsWith("Somebody at people.test invites you");
        assertThat(letter(null).text()).startsWith("The operator invites you");
        assertThat(letter("ann@people.test").subject()).isEqualTo("You are invited to inboxd");
    }
}
