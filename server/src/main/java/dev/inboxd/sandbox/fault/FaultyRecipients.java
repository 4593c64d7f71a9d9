package dev.inboxd.sandbox.fault;

import dev.inboxd.base.fault.LookupFaults;
import dev.inboxd.mail.smtp.EnhancedStatus;
import dev.inboxd.mail.smtp.SmtpReply;
import dev.inboxd.queue.ScriptedRecipients;
import dev.inboxd.sandbox.access.RecipientPattern;
import java.util.List;
import java.util.Optional;

/** Hand-overs of mail that are answered as somebody asked for; all others are left to the people by script. */
public final class FaultyRecipients implements ScriptedRecipients {
    private static final SmtpReply NO_ANSWER = SmtpReply.of(451, "4.4.3", "DNS gave no usable answer for the domain");
    private static final SmtpReply NO_DOMAIN = SmtpReply.of(550, "5.1.2", "There is no such domain");

    private final WorldFaults faults;
    private final LookupFaults lookups;
    private final ScriptedRecipients others;

    /** Hand-overs under these faults. */
    public FaultyRecipients(WorldFaults faults, LookupFaults lookups, ScriptedRecipients others) {
        this.faults = faults;
        this.lookups = lookups;
        this.others = others;
    }

    @Override
    public Optional<SmtpReply> answer(HandOver mail) {
        if (mail.inbox() == null) {
            return others.answer(mail); // a letter of the service itself
        }
        LookupFaults.LookupFailure failure =
                lookups.of(mail.organization(), mail.recipient().domain());
        if (failure != null) {
            return Optional.of(failure == LookupFaults.LookupFailure.NXDOMAIN ? NO_DOMAIN : NO_ANSWER);
        }
        List<String> forms = RecipientPattern.matching(mail.recipient());
        return faults.meet(mail.organization(), FaultKind.SMTP, terms -> terms.allowsOne("recipient", forms))
                .map(FaultyRecipients::reply)
                .or(() -> others.answer(mail));
    }

    private static SmtpReply reply(FaultTerms terms) {
        int code = terms.number("code");
        String enhanced = terms.text("enhanced");
        return new SmtpReply(
                code,
                EnhancedStatus.parse(enhanced.isEmpty() ? code / 100 + ".0.0" : enhanced),
                "A fault of the sandbox");
    }
}
