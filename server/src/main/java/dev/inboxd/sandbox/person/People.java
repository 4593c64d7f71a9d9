package dev.inboxd.sandbox.person;

import dev.inboxd.base.database.Database;
import dev.inboxd.base.database.Tx;
import dev.inboxd.base.database.View;
import dev.inboxd.base.id.Uuid7;
import dev.inboxd.mail.address.AddrSpec;
import dev.inboxd.mail.smtp.SmtpReply;
import dev.inboxd.mailbox.message.Messages;
import dev.inboxd.queue.ScriptedRecipients;
import dev.inboxd.sandbox.access.RecipientPattern;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;

/** Answers mail that must not leave, and notes what the people who took it are going to do. */
public final class People implements ScriptedRecipients {
    private final Database database;

    /** The people of a database. */
    public People(Database database) {
        this.database = database;
    }

    @Override
    public Optional<SmtpReply> answer(HandOver mail) {
        View all = View.of(mail.organization());
        TurnSql.Delivery delivery = new TurnSql.Delivery(mail.submission(), mail.position());
        boolean isScripted = SandboxAddress.isOne(mail.recipient())
                || database.read(tx -> TurnSql.find(tx, all, delivery).isPresent()
                        || RecipientRuleSql.matching(tx, all, RecipientPattern.matching(mail.recipient()), mail.inbox())
                                .isPresent());
        return isScripted
                ? Optional.of(database.write(mail.organization(), tx -> answer(tx, mail, delivery)))
                : Optional.empty();
    }

    private static SmtpReply answer(Tx tx, HandOver mail, TurnSql.Delivery delivery) {
        View all = View.of(mail.organization());
        Instant now = tx.next().at();
        TurnSql.Turn turn = TurnSql.find(tx, all, delivery).orElseGet(() -> begun(tx, mail, delivery, now));
        Step step = StepMember.of(turn.step());
        SmtpReply reply = step.after(Duration.between(mail.queuedAt(), now));
        if (reply.isPositive() && !turn.accepted()) {
            TurnSql.take(tx, all, delivery);
            step.then().forEach(reaction -> ReactionSql.insert(tx, all, pending(mail, reaction, now)));
            tx.schedules();
        }
        return reply;
    }

    private static TurnSql.Turn begun(Tx tx, HandOver mail, TurnSql.Delivery delivery, Instant now) {
        View all = View.of(mail.organization());
        Optional<RecipientRule> rule =
                RecipientRuleSql.matching(tx, all, RecipientPattern.matching(mail.recipient()), mail.inbox());
        TurnSql.Conversation conversation = new TurnSql.Conversation(
                rule.map(RecipientRule::id).orElse(null),
                thread(tx, all, mail),
                mail.recipient().toString().toLowerCase(Locale.ROOT));
        String step = rule.map(matched -> next(tx, all, matched, conversation))
                .orElseGet(() -> SandboxAddress.step(mail.recipient()).json());
        TurnSql.insert(tx, all, delivery, new TurnSql.NewTurn(conversation, step, now));
        rule.ifPresent(matched -> RecipientRuleSql.hit(tx, all, matched.id()));
        return new TurnSql.Turn(step, false);
    }

    /** The step for the next mail of a conversation; the last one stays. */
    private static String next(Tx tx, View all, RecipientRule rule, TurnSql.Conversation conversation) {
        List<Step> script = StepMember.all(rule.script());
        return script.get(Math.min(TurnSql.count(tx, all, conversation), script.size() - 1))
                .json();
    }

    private static UUID thread(Tx tx, View all, HandOver mail) {
        UUID message = mail.message();
        return message == null
                ? mail.submission()
                : Messages.find(tx, all, message)
                        .map(stored -> stored.place().thread())
                        .orElse(mail.submission());
    }

    private static ReactionSql.PendingReaction pending(HandOver mail, Reaction reaction, Instant now) {
        AddrSpec returnPath = mail.returnPath();
        return new ReactionSql.PendingReaction(
                Uuid7.next(),
                reaction.json(),
                now.plus(reaction.after()),
                new ReactionSql.Mail(mail.submission(), mail.message()),
                mail.recipient().toString(),
                returnPath == null ? null : returnPath.toString(),
                0);
    }
}
