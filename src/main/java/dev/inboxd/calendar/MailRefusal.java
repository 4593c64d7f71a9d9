package dev.inboxd.calendar;

import dev.inboxd.platform.error.Problem;

/** Refuses changes that ask for a mail to somebody, for a service that sends no invitations. Nothing is stored then. */
final class MailRefusal implements InvitationSender {
    @Override
    public void charge(CalendarTx change, InvitationChange mail) {
        if (mail.trigger() == InvitationChange.Trigger.ANSWERED) {
            throw Problem.invalid("send_reply", "This version sends no replies by mail. Write send_reply: false.");
        }
        Guests guests = mail.date() == null
                ? mail.event().content().guests()
                : mail.date().content().guests();
        boolean hasOthers = guests.list().stream()
                .anyMatch(
                        guest -> !guest.email().equalsIgnoreCase(change.inbox().address()));
        if (hasOthers) {
            throw Problem.invalid(
                    "send_invites",
                    "This version sends no invitations by mail. Leave out send_invites, and write to the attendees"
                            + " with a message.");
        }
    }

    @Override
    public void send(CalendarTx change, InvitationChange mail) {
        // Nobody is to be told: charge() refused the rest.
    }
}
