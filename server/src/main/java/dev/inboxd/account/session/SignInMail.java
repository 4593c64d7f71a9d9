package dev.inboxd.account.session;

import dev.inboxd.account.signup.OneTimeCode;
import dev.inboxd.queue.SystemMail;

/** The mail with a sign-in code. */
final class SignInMail {
    private SignInMail() {}

    static SystemMail.SystemMessage code(String human, OneTimeCode code) {
        return new SystemMail.SystemMessage(human, "Your sign-in code", """
                Somebody wants to sign in to inboxd with your address. If it is you, this is the code:

                    %s

                It is valid for 10 minutes. Give it to nobody: it lets its holder act in your name.
                If it is not you, ignore this letter.
                """.formatted(code.digits()));
    }
}
