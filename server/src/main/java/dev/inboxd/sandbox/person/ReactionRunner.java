package dev.inboxd.sandbox.person;

import dev.inboxd.base.error.Faults;
import dev.inboxd.base.json.Json;
import dev.inboxd.base.json.JsonBody;
import dev.inboxd.inbound.authentication.ChosenResults;
import dev.inboxd.mail.address.AddrSpec;
import dev.inboxd.mail.smtp.NullPath;
import dev.inboxd.mail.smtp.ReversePath;
import dev.inboxd.mail.smtp.SmtpPath;
import dev.inboxd.sandbox.mail.AuthenticationMember;
import dev.inboxd.sandbox.mail.HandedMail;
import dev.inboxd.sandbox.mail.MailIntake;
import java.net.InetAddress;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;

/** Does one thing that somebody is going to do. */
public final class ReactionRunner {
    private static final InetAddress CLIENT = InetAddress.ofLiteral("192.0.2.1");

    private final SentMailReader mails;
    private final MailIntake intake;
    private final WebVisits visits;

    /** Reactions with these means. */
    public ReactionRunner(SentMailReader mails, MailIntake intake, WebVisits visits) {
        this.mails = mails;
        this.intake = intake;
        this.visits = visits;
    }

    /** Does it, and says what came of it in a word for the log; throws what a later attempt may mend. */
    String run(UUID organization, ReactionSql.PendingReaction reaction) {
        JsonBody what = JsonBody.of(
                (Map<?, ?>) Objects.requireNonNull(Json.stored(reaction.reaction())), List.of(), new Faults());
        ReactionKind kind = Objects.requireNonNull(what.choice("do", ReactionKind.values(), ReactionKind::wireName));
        Optional<SentMail> mail = mails.read(organization, reaction.mail());
        if (mail.isEmpty()) {
            return "deleted";
        }
        SentMail sent = mail.get();
        PersonMail person = new PersonMail(reaction, what, sent);
        return switch (kind) {
            case REPLY -> answer(organization, person, person.reply());
            case OUT_OF_OFFICE -> answer(organization, person, person.outOfOffice());
            case ACCEPT, TENTATIVE, DECLINE ->
                person.invitationAnswer(kind)
                        .map(octets -> answer(organization, person, octets))
                        .orElse("nothing");
            case BOUNCE -> report(organization, reaction, PersonReport.bounce(reaction, what, sent));
            case COMPLAIN -> report(organization, reaction, PersonReport.complaint(reaction, sent));
            case OPEN -> visits.open(sent);
            case CLICK -> visits.click(sent, what.string("link").orElse(""));
            case UNSUBSCRIBE -> visits.unsubscribe(sent);
        };
    }

    private String answer(UUID organization, PersonMail person, byte[] octets) {
        return person.to()
                .map(to -> handedIn(
                        organization,
                        new HandedMail(
                                List.of(new SmtpPath(to.localPart(), to.domain())),
                                new HandedMail.Origin(person.mailFrom(), "outside.test", CLIENT),
                                octets,
                                new HandedMail.Choices(person.authentication(), null, null))))
                .orElse("nothing");
    }

    private String report(UUID organization, ReactionSql.PendingReaction reaction, byte[] octets) {
        String path = reaction.returnPath();
        if (path == null) {
            return "nothing";
        }
        AddrSpec to = AddrSpec.parse(path);
        ReversePath from = NullPath.NULL;
        return handedIn(
                organization,
                new HandedMail(
                        List.of(new SmtpPath(to.localPart(), to.domain())),
                        new HandedMail.Origin(from, "outside.test", CLIENT),
                        octets,
                        new HandedMail.Choices(pass(), null, null)));
    }

    private static ChosenResults pass() {
        return AuthenticationMember.PASS;
    }

    private String handedIn(UUID organization, HandedMail mail) {
        return switch (intake.take(mail, to -> to.organization().equals(organization))) {
            case MailIntake.Result.Accepted _ -> "done";
            case MailIntake.Result.Refused refused -> {
                if (!refused.reply().isPermanentFailure()) {
                    throw new IllegalStateException("Put off: " + refused.reply());
                }
                yield "refused: " + refused.reply();
            }
        };
    }
}
