package dev.inboxd.calendar.invitation;

import dev.inboxd.base.job.Jobs;
import dev.inboxd.calendar.content.Attendee;
import dev.inboxd.calendar.content.AttendeeStatus;
import dev.inboxd.calendar.content.EventContent;
import dev.inboxd.calendar.content.EventStatus;
import dev.inboxd.calendar.content.Guests;
import dev.inboxd.calendar.event.InvitationChange;
import dev.inboxd.calendar.event.InvitationSender;
import dev.inboxd.calendar.feed.EventComponents;
import dev.inboxd.calendar.series.CalendarEvent;
import dev.inboxd.calendar.series.CalendarTx;
import dev.inboxd.calendar.series.SeriesDate;
import dev.inboxd.mail.calendar.EventComponent;
import dev.inboxd.mail.calendar.ICalendarWriter;
import dev.inboxd.sending.limit.SendQuota;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Stores the mails of changes in the transaction of the change, with a job that sends them (ruling 77). The inbox
 * itself gets none (ruling 78), and a paused inbox sends none.
 */
final class Invitations implements InvitationSender {
    private static final String REQUEST = "REQUEST";
    private static final String CANCEL = "CANCEL";
    private static final String REPLY = "REPLY";

    private final SendQuota quota;
    private final Jobs jobs;

    Invitations(SendQuota quota, Jobs jobs) {
        this.quota = quota;
        this.jobs = jobs;
    }

    @Override
    public void charge(CalendarTx change, InvitationChange mail) {
        int messages = mail.trigger() == InvitationChange.Trigger.ANSWERED
                ? 1
                : invited(change, content(mail).guests()).size();
        if (messages > 0 && !change.inbox().isSendingPaused()) {
            quota.charge(change.tx(), change.all(), change.inbox().id(), messages);
        }
    }

    @Override
    public void send(CalendarTx change, InvitationChange mail) {
        if (change.inbox().isSendingPaused()) {
            return;
        }
        List<InvitationMail> mails = mails(change, mail).stream()
                .filter(each -> !each.recipients().isEmpty())
                .toList();
        if (!mails.isEmpty()) {
            mails.forEach(each -> InvitationSql.insert(change, each));
            jobs.add(change.tx(), change.view().organization(), InvitationDelivery.KIND, change.operation());
        }
    }

    /** What is sent: to those who are invited, and to those who are not any more. */
    private static List<InvitationMail> mails(CalendarTx change, InvitationChange mail) {
        EventComponents components =
                new EventComponents(change.now(), change.inbox().displayName());
        Letter letter = new Letter(change, mail, components);
        return switch (mail.trigger()) {
            case CREATED -> List.of(letter.request("Invitation"));
            case REPEATED -> List.of(isCancelled(mail) ? letter.cancellation() : letter.request("Invitation"));
            case CHANGED, DATE_CHANGED ->
                isCancelled(mail)
                        ? List.of(letter.cancellation())
                        : List.of(letter.request("Updated invitation"), letter.farewell());
            case SHORTENED -> List.of(letter.request("Updated invitation"));
            case DELETED, DATE_CANCELLED -> List.of(letter.cancellation());
            case ANSWERED -> List.of(letter.reply());
        };
    }

    private static boolean isCancelled(InvitationChange mail) {
        return content(mail).status() == EventStatus.CANCELLED;
    }

    /** What a mail is about. A series that ends earlier is told of as a whole. */
    private static EventContent content(InvitationChange mail) {
        return isOfDate(mail)
                ? Objects.requireNonNull(mail.date()).content()
                : mail.event().content();
    }

    private static boolean isOfDate(InvitationChange mail) {
        return mail.date() != null && mail.trigger() != InvitationChange.Trigger.SHORTENED;
    }

    private static Set<String> invited(CalendarTx change, Guests guests) {
        Set<String> others = new LinkedHashSet<>();
        guests.list().forEach(guest -> others.add(guest.email()));
        others.removeIf(other -> other.equalsIgnoreCase(change.inbox().address()));
        return others;
    }

    /** The mails of one change. */
    private record Letter(CalendarTx change, InvitationChange mail, EventComponents components) {
        InvitationMail request(String prefix) {
            List<EventComponent> all =
                    isOfDate(mail) ? List.of(component()) : components.whole(change.tx(), change.view(), mail.event());
            return mail(
                    REQUEST,
                    prefix,
                    all,
                    List.copyOf(invited(change, content(mail).guests())));
        }

        /** Tells everybody that it does not take place. */
        InvitationMail cancellation() {
            return cancelled(List.copyOf(invited(change, content(mail).guests())));
        }

        /** Tells those who were invited and are not any more that it does not take place for them. */
        InvitationMail farewell() {
            Set<String> before = new LinkedHashSet<>(
                    mail.before() == null ? List.of() : mail.before().mail().invited());
            SeriesDate earlier = mail.dateBefore();
            if (earlier != null) {
                before.retainAll(invited(change, earlier.content().guests()));
            }
            before.removeAll(invited(change, content(mail).guests()));
            before.removeIf(other -> other.equalsIgnoreCase(change.inbox().address()));
            return cancelled(List.copyOf(before));
        }

        private InvitationMail cancelled(List<String> recipients) {
            EventComponent event = component();
            EventComponent.Words words = event.words();
            boolean isStored = mail.trigger() != InvitationChange.Trigger.DELETED;
            EventComponent.Identity identity = event.identity();
            EventComponent cancelled = new EventComponent(
                    new EventComponent.Identity(
                            identity.uid(),
                            isStored ? identity.sequence() : identity.sequence() + 1,
                            identity.stamp(),
                            identity.recurrenceId()),
                    event.schedule(),
                    new EventComponent.Words(
                            words.summary(), words.description(), words.location(), EventStatus.CANCELLED.name(), null),
                    event.organizer(),
                    recipients.isEmpty() ? event.attendees() : named(event, recipients));
            return mail(CANCEL, "Cancelled", List.of(cancelled), recipients);
        }

        /** Those whom a cancellation is for (RFC 5546 §3.2.5). */
        private List<EventComponent.Guest> named(EventComponent event, List<String> recipients) {
            SeriesDate earlier = mail.dateBefore();
            List<EventComponent.Guest> before = earlier != null
                    ? components.of(earlier).attendees()
                    : mail.before() == null
                            ? List.of()
                            : components.of(mail.before()).attendees();
            List<EventComponent.Guest> known =
                    Stream.concat(event.attendees().stream(), before.stream()).toList();
            return recipients.stream()
                    .map(address -> known.stream()
                            .filter(guest -> guest.person().email().equals(address))
                            .findFirst()
                            .orElseGet(() -> new EventComponent.Guest(
                                    new EventComponent.Person(address, null), "REQ-PARTICIPANT", "NEEDS-ACTION")))
                    .toList();
        }

        InvitationMail reply() {
            EventComponent event = component();
            EventComponent.Words words = event.words();
            Attendee own = content(mail).guests().find(change.inbox().address()).orElseThrow();
            List<EventComponent.Guest> self = event.attendees().stream()
                    .filter(guest -> guest.person().email().equals(own.email()))
                    .toList();
            EventComponent reply = new EventComponent(
                    event.identity(),
                    event.schedule(),
                    new EventComponent.Words(
                            words.summary(),
                            null,
                            null,
                            words.status(),
                            own.answer().comment()),
                    event.organizer(),
                    self);
            CalendarEvent.Origin origin = mail.event().origin();
            InvitationMail answer = mail(REPLY, "Responded", List.of(reply), List.of(origin.organizer()));
            return new InvitationMail(
                    answer.inbox(),
                    answer.operation(),
                    REPLY,
                    new InvitationMail.Text(
                            answer.text().subject(),
                            answered(own) + answer.text().body()),
                    answer.calendar(),
                    origin.message(),
                    answer.recipients(),
                    answer.author());
        }

        private static String answered(Attendee own) {
            AttendeeStatus status = own.answer().status();
            @Nullable String comment = own.answer().comment();
            String word = status == AttendeeStatus.TENTATIVE ? "tentatively accepted" : status.wireName();
            return own.email() + " has " + word + " this invitation.\n\n" + (comment == null ? "" : comment + "\n\n");
        }

        private EventComponent component() {
            return isOfDate(mail) ? components.of(Objects.requireNonNull(mail.date())) : components.of(mail.event());
        }

        private InvitationMail mail(
                String method, String prefix, List<EventComponent> events, List<String> recipients) {
            return new InvitationMail(
                    change.inbox().id(),
                    change.operation(),
                    method,
                    InvitationText.of(prefix, content(mail)),
                    new String(ICalendarWriter.write(method, events), StandardCharsets.UTF_8),
                    null,
                    recipients,
                    change.author().after(mail.event().author()));
        }
    }
}
