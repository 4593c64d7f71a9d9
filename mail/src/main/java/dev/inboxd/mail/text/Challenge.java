package dev.inboxd.mail.text;

import java.util.Locale;
import java.util.Optional;

/** What a service sends to an address to see whose it is, and wants to have back. */
public enum Challenge {
    /** A one-time code. */
    CODE,
    /** A link to open. */
    LINK;

    /** The word for it in requests and answers. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Looks for it in a mail. */
    public Optional<String> in(ChallengeText mail) {
        return switch (this) {
            case CODE -> MailedCode.find(mail);
            case LINK -> ConfirmationLink.find(mail);
        };
    }
}
