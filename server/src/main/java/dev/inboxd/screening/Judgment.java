package dev.inboxd.screening;

import dev.inboxd.mail.screen.MailScreen;
import dev.inboxd.mail.screen.ScreenReason;
import dev.inboxd.mail.screen.ScreenVerdict;
import dev.inboxd.mailbox.message.MessageSecurity;
import dev.inboxd.tenant.organization.SecurityMode;
import java.util.stream.Stream;

/**
 * A verdict, and who reached it.
 *
 * @param model names the rules that judged
 */
public record Judgment(ScreenVerdict verdict, String model) {
    /** What counts when a mail cannot be judged: somebody looks at it (ruling 82). */
    static final Judgment FAILED = new Judgment(ScreenVerdict.FAILED, MailScreen.MODEL);

    /** The verdict of the built-in rules. */
    static Judgment ofRules(ScreenVerdict verdict) {
        return new Judgment(verdict, MailScreen.MODEL);
    }

    /** The verdict of the built-in rules together with that of another judge. */
    static Judgment ofBoth(ScreenVerdict rules, ScreenVerdict external) {
        return new Judgment(union(rules, external), MailScreen.MODEL + "+external");
    }

    /** The stricter of two verdicts, with the reasons of both. */
    static ScreenVerdict union(ScreenVerdict first, ScreenVerdict second) {
        return new ScreenVerdict(
                first.review() || second.review(),
                Stream.concat(first.reasons().stream(), second.reasons().stream())
                        .distinct()
                        .limit(ScreenVerdict.MAX_REASONS)
                        .toList());
    }

    /** The verdict as it is stored with a message of an organization in that mode. */
    public MessageSecurity.Verdict in(SecurityMode mode) {
        return new MessageSecurity.Verdict(
                verdict.review(),
                verdict.reasons().stream().map(ScreenReason::word).toList(),
                model,
                mode == SecurityMode.HOLD);
    }
}
