package dev.inboxd.sandbox.person;

import dev.inboxd.base.json.JsonBody;
import dev.inboxd.inbound.authentication.ChosenResults;
import dev.inboxd.mail.address.AddrSpec;
import dev.inboxd.mail.address.MailAddress;
import dev.inboxd.mail.compose.CalendarPart;
import dev.inboxd.mail.compose.Composer;
import dev.inboxd.mail.compose.Composition;
import dev.inboxd.mail.compose.CustomHeaderField;
import dev.inboxd.mail.compose.Mailbox;
import dev.inboxd.mail.compose.OutgoingAttachment;
import dev.inboxd.mail.smtp.NullPath;
import dev.inboxd.mail.smtp.ReversePath;
import dev.inboxd.mail.smtp.SmtpPath;
import dev.inboxd.sandbox.mail.AuthenticationMember;
import dev.inboxd.sending.compose.AttachmentMembers;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The mail by which somebody answers. Its octets are the same however often it is made. */
final class PersonMail {
    private static final List<CustomHeaderField> BY_MACHINE =
            List.of(new CustomHeaderField("Auto-Submitted", "auto-replied")); // RFC 3834 §5

    private final ReactionSql.PendingReaction reaction;
    private final JsonBody what;
    private final SentMail sent;
    private ReversePath mailFrom;

    PersonMail(ReactionSql.PendingReaction reaction, JsonBody what, SentMail sent) {
        this.reaction = reaction;
        this.what = what;
        this.sent = sent;
        AddrSpec from = AddrSpec.parse(from().address());
        this.mailFrom = new SmtpPath(from.localPart(), from.domain());
    }

    /** Whom it goes to; empty when the mail names nobody. */
    Optional<AddrSpec> to() {
        return sent.answerTo();
    }

    ReversePath mailFrom() {
        return mailFrom;
    }

    ChosenResults authentication() {
        return AuthenticationMember.read(what);
    }

    private MailAddress from() {
        MailAddress sender = what.string("from").as(StepMember::address, "an address");
        return sender == null ? new MailAddress(null, reaction.recipient()) : sender;
    }

    byte[] reply() {
        String text = what.string("text").multiline().orElse("");
        String html = what.string("html").multiline().optional();
        boolean quotes = what.flag("quote", true);
        String quoted = quotes ? text + "\n\n" + quotation() : text;
        return composed(
                what.string("subject").orElse(answering("Re: ")),
                List.of(),
                new Composition.Body(quoted, html, AttachmentMembers.read(what, "attachments")));
    }

    private String quotation() {
        StringBuilder quotation = new StringBuilder(to().map(AddrSpec::toString).orElse("Somebody") + " wrote:\n");
        sent.text().lines().forEach(line -> quotation.append("> ").append(line).append('\n'));
        return quotation.toString();
    }

    byte[] outOfOffice() {
        mailFrom = NullPath.NULL;
        return composed(
                what.string("subject").orElse("Automatic reply: " + sent.subject()),
                BY_MACHINE,
                body(what.string("text").multiline().orElse("I am out of the office and will answer when I am back.")));
    }

    /** The answer to the invitation in the mail; empty when there is none. */
    Optional<byte[]> invitationAnswer(ReactionKind kind) {
        return sent.calendar()
                .flatMap(calendar -> InvitationAnswer.of(calendar, kind, reaction.recipient(), reaction.at()))
                .map(answer -> composed(
                        what.string("subject").orElse(InvitationAnswer.word(kind) + ": " + sent.subject()),
                        List.of(),
                        new Composition.Body(
                                what.string("text").multiline().orElse(InvitationAnswer.word(kind)),
                                null,
                                List.<OutgoingAttachment>of(),
                                new CalendarPart("REPLY", answer))));
    }

    private static Composition.Body body(String text) {
        return new Composition.Body(text, null, List.of());
    }

    private String answering(String prefix) {
        String subject = sent.subject();
        return subject.regionMatches(true, 0, prefix, 0, prefix.length()) ? subject : prefix + subject;
    }

    private byte[] composed(@Nullable String subject, List<CustomHeaderField> headers, Composition.Body body) {
        MailAddress from = from();
        return Composer.compose(new Composition(
                        new Composition.Addresses(
                                new Mailbox(from.name(), from.address()),
                                to().map(to -> new Mailbox(null, to.toString())).stream()
                                        .toList(),
                                List.of(),
                                List.of()),
                        new Composition.Identification(
                                "<" + reaction.id() + "@" + from.domain() + ">", sent.id(), sent.references()),
                        subject,
                        reaction.at(),
                        headers,
                        body))
                .bytes();
    }
}
