package dev.inboxd.calendar.event;

import dev.inboxd.calendar.series.CalendarTx;

/**
 * Sends what a change asks to be mailed. Both calls are made in the transaction of the change, in which nothing may go
 * over the network: mails, or the jobs that make them, are stored there.
 */
public interface InvitationSender {
    /**
     * Charges what the change will send, before anything of it is stored. Whom the mail goes to is the attendees of the
     * event or date after the change; of a deletion, those before it.
     *
     * @throws dev.inboxd.base.error.Problem {@code rate_limit_exceeded}; the change does not take place then
     */
    void charge(CalendarTx change, InvitationChange mail);

    /** Stores what is to be sent, in the transaction that has stored the change. */
    void send(CalendarTx change, InvitationChange mail);
}
