package dev.inboxd.calendar.invitation;

import dev.inboxd.base.job.Jobs;
import dev.inboxd.calendar.event.InvitationChange;
import dev.inboxd.calendar.event.InvitationSender;
import dev.inboxd.calendar.series.CalendarTx;
import dev.inboxd.sending.limit.SendQuota;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Stores the mails of changes in the transaction of the change, with jobs that send them (ruling 77). The inbox itself
 * gets none (ruling 78), and a paused inbox sends none.
 */
final class Invitations implements InvitationSender {
    private final SendQuota quota;
    private final Jobs jobs;

    Invitations(SendQuota quota, Jobs jobs) {
        this.quota = quota;
        this.jobs = jobs;
    }

    @Override
    public void charge(CalendarTx change, InvitationChange mail) {
        int messages = InvitationLetters.count(change, mail);
        if (messages > 0 && !change.inbox().isSendingPaused()) {
            quota.charge(change.tx(), change.all(), change.inbox().id(), messages);
        }
    }

    @Override
    public void send(CalendarTx change, InvitationChange mail) {
        if (change.inbox().isSendingPaused()) {
            return;
        }
        List<InvitationMail> mails = InvitationLetters.of(change, mail).stream()
                .filter(letter -> !letter.recipients().isEmpty())
                .toList();
        Set<String> operations = new LinkedHashSet<>();
        for (InvitationMail letter : mails) {
            InvitationSql.insert(change, letter);
            operations.add(letter.operation());
        }
        operations.forEach(
                operation -> jobs.add(change.tx(), change.view().organization(), InvitationDelivery.KIND, operation));
    }
}
