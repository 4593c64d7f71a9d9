package dev.inboxd.screening;

import dev.inboxd.account.session.Sessions;
import dev.inboxd.base.access.Caller;
import dev.inboxd.base.access.Permission;
import dev.inboxd.base.access.Role;
import dev.inboxd.base.database.Database;
import dev.inboxd.base.database.Outcome;
import dev.inboxd.base.database.Tx;
import dev.inboxd.base.database.View;
import dev.inboxd.base.error.ErrorCode;
import dev.inboxd.base.error.Problem;
import dev.inboxd.event.EventLog;
import dev.inboxd.mailbox.hold.HeldMessages;
import dev.inboxd.mailbox.message.Message;
import dev.inboxd.mailbox.message.MessageSecurity;
import dev.inboxd.mailbox.message.Messages;
import java.util.List;
import java.util.UUID;

/** Releases held messages (security.md §4, ruling 86). */
final class Releases {
    private final Database database;
    private final EventLog log;
    private final List<ReleaseHook> hooks;

    Releases(Database database, EventLog log, List<ReleaseHook> hooks) {
        this.database = database;
        this.log = log;
        this.hooks = List.copyOf(hooks);
    }

    /**
     * Releases a message. Of several at once one wins; the winner's repetition gets the same answer.
     *
     * @param view what the caller sees of the inbox
     * @param name the public id of the message
     * @throws Problem {@code not_found}; {@code conflict} for one that is not held, or that somebody else released
     */
    Outcome<MessageSecurity.ManualOverride> release(Caller caller, View view, String name, String reason) {
        return database.write(view.organization(), HeldMessages.NUMBERS, (tx, opening) -> {
            opening.run();
            Message message = Messages.find(tx, view, name).orElseThrow(() -> Problem.notFound("Message"));
            HeldMessages.Actor actor = new HeldMessages.Actor(actor(tx, caller), reason);
            MessageSecurity security = message.security();
            MessageSecurity.ManualOverride before = security == null ? null : security.override();
            if (before != null && actor.isOf(before)) {
                return Outcome.same(before);
            }
            if (before != null) {
                throw Problem.of(
                        ErrorCode.CONFLICT,
                        "The message was released already",
                        "Read the message: security.manual_override tells who released it, and why.");
            }
            if (!message.isHeld()) {
                throw Problem.of(
                        ErrorCode.CONFLICT, "The message is not held", "Only mail with the label held is released.");
            }
            View all = View.of(view.organization());
            HeldMessages.Release release = HeldMessages.release(tx, log.appending(tx, all), message, actor);
            hooks.forEach(hook -> hook.released(tx, all, release.message()));
            return Outcome.changed(release.override());
        });
    }

    private static MessageSecurity.Actor actor(Tx tx, Caller caller) {
        return switch (caller.credential()) {
            case Caller.Credential.Key(UUID id) -> new MessageSecurity.Actor(id, false);
            case Caller.Credential.Session(UUID id, Role _) ->
                new MessageSecurity.Actor(Sessions.user(tx, caller.organization(), id), true);
            case Caller.Credential.Operator operator -> new MessageSecurity.Actor(operator.id(), true);
            case Caller.Credential.Payer _ -> throw caller.missing(Permission.MESSAGE_RELEASE.wireName());
        };
    }
}
