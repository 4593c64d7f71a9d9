package dev.inboxd.account.passkey;

import dev.inboxd.account.session.SessionOrigin;
import dev.inboxd.queue.SystemMail;

/** The mail that tells a person of a new passkey. */
final class PasskeyMail {
    private PasskeyMail() {}

    static SystemMail.SystemMessage added(String human, SessionOrigin origin) {
        return new SystemMail.SystemMessage(human, "A passkey was added to your inboxd account", """
                A passkey was added to your account: %s.
                Whoever has that device, and can unlock it, signs in as you.

                If it was not you, remove the passkey in the console at People, and
                sign out everywhere there.
                """.formatted(
                        origin.device() == null ? "by an unknown browser" : "by " + origin.device()));
    }
}
