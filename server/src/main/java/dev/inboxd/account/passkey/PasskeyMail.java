package dev.inboxd.account.passkey;

import dev.inboxd.account.session.SessionOrigin;
import dev.inboxd.queue.SystemMail;

/** The mail that tells a person of a new passkey. */
final class PasskeyMail {
    private PasskeyMail() {}

    static SystemMail.SystemMessage added(String human, SessionOrigin origin) {
        return new SystemMail.SystemMessage(human, "A passkey was added to your inboxd account", """
                A passkey was added to your account: %s.
                Anybody who can unlock that device can sign in as you.

                If this was not you, remove the passkey in the console under People, and
                sign out everywhere there.
                """.formatted(
                        origin.device() == null ? "by an unknown browser" : "by " + origin.device()));
    }
}
