package dev.inboxd.mail.text;

import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;

/** What a service sends to an address to see whose it is, and wants to have back. */
public enum Challenge {
    /** A one-time code. */
    CODE(MailedCode::find),
    /** A link to open. */
    LINK(ConfirmationLink::find);

    private final Function<ChallengeText, Optional<String>> reader;

    Challenge(Function<ChallengeText, Optional<String>> reader) {
        this.reader = reader;
    }

    /** The word for it in requests and answers. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Looks for it in a mail. */
    public Optional<String> in(ChallengeText mail) {
        return reader.apply(mail);
    }
}
