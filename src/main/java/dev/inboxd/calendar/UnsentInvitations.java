package dev.inboxd.calendar;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Says in the log that a mail was asked for and nothing sends it: for a service that was built without mail. */
final class UnsentInvitations implements InvitationSender {
    private static final Logger LOG = LoggerFactory.getLogger(UnsentInvitations.class);

    @Override
    public void charge(CalendarTx change, InvitationChange mail) {
        // Nothing is sent, so nothing is charged.
    }

    @Override
    public void send(CalendarTx change, InvitationChange mail) {
        LOG.warn(
                "invitation not sent, nothing sends them trigger={} event={}",
                mail.trigger(),
                mail.event().id());
    }
}
