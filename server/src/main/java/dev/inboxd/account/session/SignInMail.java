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
                It is valid for 10 minutes. Do not share it. Anybody who has it can sign in as you.
                If you did not ask for it, ignore this email. Nobody can sign in without the code.
                """.formatted(
                        code.digits(), request.origin()));
    }
}
