package dev.inboxd.account.signup;

import dev.inboxd.queue.SystemMail;

/** The mails to the human behind an agent. They contain no text of the agent except the checked local part. */
final class SignUpMail {
    private static final String UNEXPECTED = """
            If you did not expect this, ignore it. Without the code the agent can write only to you.
            """;

    private SignUpMail() {}

    /** A phone shows the code without the mail being opened. */
    private static String subject(OneTimeCode code) {
        return code.digits() + " is your agent's verification code";
    }

    /** The code, for an agent that signed up, or signed up again after the last code had expired. */
    static SystemMail.SystemMessage code(CodeRequest request, String inbox, OneTimeCode code) {
        return new SystemMail.SystemMessage(
                request.human(), subject(code), """
                An AI agent has signed up for the inbox %s
                and named you as its human.

                Give it this code, and it can write to others in your name:

                    %s

                %s
                The code is valid for 24 hours. Any key the agent had before has stopped working.

                """.formatted(inbox, code.digits(), request.origin()) + UNEXPECTED);
    }

    /** The code, for a human whom an agent attached after its sign-up. */
    static SystemMail.SystemMessage attached(CodeRequest request, String inbox, OneTimeCode code) {
        return new SystemMail.SystemMessage(
                request.human(), subject(code), """
                An AI agent with the inbox %s
                has named you as its human.

                Give it this code, and it can write to others in your name:

                    %s

                %s
                The code is valid for 24 hours. Codes that were sent before are no longer valid.

                """.formatted(inbox, code.digits(), request.origin()) + UNEXPECTED);
    }

    /** The code, for a human whom an account that pays for its calls has asked. */
    static SystemMail.SystemMessage walletCode(CodeRequest request, String inbox, OneTimeCode code) {
        return new SystemMail.SystemMessage(
                request.human(), subject(code), """
                An AI agent with the inbox %s
                pays for its calls by itself, and has named you as its human.

                Give it this code to become responsible for it. You can then sign in,
                approve its mail and stop it.

                    %s

                %s
                The code is valid for 24 hours. Codes that were sent before are no longer valid.

                If you did not expect this, ignore it. Without the code nothing connects you to the agent.
                """.formatted(inbox, code.digits(), request.origin()));
    }

    /** The notice that an agent has attached another human instead. */
    static SystemMail.SystemMessage replaced(String former, String inbox) {
        return new SystemMail.SystemMessage(former, "Your agent has named another human", """
                The AI agent with the inbox %s
                has named another human in your place.

                Codes that we sent you for it are no longer valid. It can no longer write to you,
                and you can no longer sign in for it. The change was made with the agent's key.
                """.formatted(inbox));
    }

    /** The notice that a caller who knows the human's address has got a new key, while a code is still valid. */
    static SystemMail.SystemMessage rotation(String human) {
        return new SystemMail.SystemMessage(human, "Your agent's key was replaced", """
                Somebody signed up again with your address for the agent that you have not verified yet.
                A new key was created, and the old one has stopped working. The new key sees
                only mail that arrives from now on, until the code that we sent you before is used.

                If this was not your agent, do not pass that code on.

                """ + UNEXPECTED);
    }
}
