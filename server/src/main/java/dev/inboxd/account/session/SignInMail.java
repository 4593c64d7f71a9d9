package dev.inboxd.account.session;

import dev.inboxd.account.signup.CodeRequest;
import dev.inboxd.account.signup.OneTimeCode;
import dev.inboxd.queue.SystemMail;

/** The mail with a sign-in code. */
final class SignInMail {
    private SignInMail() {}

    static SystemMail.SystemMessage code(CodeRequest request, OneTimeCode code) {
        return new SystemMail.SystemMessage(request.human(), code.digits() + " is your inboxd code", """
                This code signs you in to inboxd:

                    %s

                %s
                It is valid for 10 minutes. Give it to nobody: it lets its holder act in your name.
                If you did not ask for it, ignore this mail: nobody can sign in without the code.
                """.formatted(
                        code.digits(), request.origin()));
    }
}
