package dev.inboxd.mail.challenge;

import dev.inboxd.mail.link.MailLink;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** What a service sends to an address to see whose it is, and wants to have back. */
public enum Challenge {
    /** A one-time code. */
    CODE,
    /** A link to open. */
    LINK;

    /** How sure the surest has to be (markdown.md §9). */
    private static final double CERTAIN = 0.7;

    /** The word for it in requests and answers. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Looks for it in a mail: what is surest, where it is certain and nothing else is as sure. */
    public Optional<String> in(ChallengeText mail) {
        return switch (this) {
            case CODE -> {
                List<MailedCode> codes = MailedCodes.in(mail);
                boolean alone = codes.size() < 2
                        || codes.get(0).confidence() > codes.get(1).confidence();
                yield codes.stream()
                        .limit(1)
                        .filter(code -> alone && code.confidence() >= CERTAIN)
                        .map(MailedCode::code)
                        .findFirst();
            }
            case LINK -> {
                List<MailLink> links = mail.links();
                boolean alone = links.size() < 2
                        || links.get(0).confidence() > links.get(1).confidence();
                yield links.stream()
                        .limit(1)
                        .filter(link -> alone && link.confidence() >= CERTAIN)
                        .map(MailLink::url)
                        .findFirst();
            }
        };
    }
}
