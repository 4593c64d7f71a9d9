package dev.inboxd.calendar.invitation;

import dev.inboxd.calendar.content.EventContent;
import dev.inboxd.calendar.content.EventStatus;
import dev.inboxd.calendar.content.Guests;
import dev.inboxd.calendar.event.InvitationChange;
import dev.inboxd.calendar.feed.EventComponents;
import dev.inboxd.calendar.series.CalendarTx;
import dev.inboxd.calendar.series.SeriesDate;
import dev.inboxd.calendar.series.SeriesParts;
import dev.inboxd.calendar.series.WholeEvent;
import dev.inboxd.mail.calendar.EventComponent;
import dev.inboxd.mail.calendar.ICalendarWriter;
import dev.inboxd.mail.recurrence.Slot;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What a change is told by: to those who are invited, and to those who are not any more. */
final class InvitationLetters {
    private static final String REQUEST = "REQUEST";
    private static final String CANCEL = "CANCEL";
    private static final String INVITATION = "Invitation";
    private static final String UPDATE = "Updated invitation";

    private final CalendarTx change;
    private final InvitationChange mail;
    private final EventComponents components;
    private final WholeEvent wholeEvent;
    private final SeriesParts parts;

    private InvitationLetters(CalendarTx change, InvitationChange mail) {
        this.change = change;
        this.mail = mail;
        Instant sent = mail.event().mail().sent();
        this.components = new EventComponents(
                sent == null ? change.now() : sent, change.inbox().displayName());
        this.wholeEvent = WholeEvent.withEdits(change.tx(), change.view(), mail.event());
        this.parts = new SeriesParts(wholeEvent);
    }

    /** How many messages a change sends at most: each attendee gets one for each part of a series. */
    static int count(CalendarTx change, InvitationChange mail) {
        if (mail.trigger() == InvitationChange.Trigger.ANSWERED) {
            return 1;
        }
        Slot slot = mail.date() == null ? null : mail.date().slot();
        long parts = switch (mail.trigger()) {
            case DATE_CHANGED, DATE_CANCELLED -> 1;
            case SHORTENED -> 1 + behind(mail, slot);
            case FOLLOWING_CHANGED -> 1 + behind(mail, slot) + (mail.cuts().contains(slot) ? 0 : 1);
            default -> 1 + mail.cuts().size();
        };
        return Math.toIntExact(informed(change, mail).size() * parts);
    }

    private static long behind(InvitationChange mail, @Nullable Slot slot) {
        return mail.cuts().stream()
                .filter(cut -> slot != null && !cut.at().isBefore(slot.at()))
                .count();
    }

    /** The mails of a change, each method and UID in one of its own. */
    static List<InvitationMail> of(CalendarTx change, InvitationChange mail) {
        List<InvitationMail> mails = new InvitationLetters(change, mail).all();
        Map<String, Integer> counts = new HashMap<>();
        List<InvitationMail> numbered = new ArrayList<>();
        for (InvitationMail letter : mails) {
            int before = counts.merge(letter.method(), 1, Integer::sum) - 1;
            numbered.add(before == 0 ? letter : letter.withOperation(letter.operation() + "-" + before));
        }
        return numbered;
    }

    private List<InvitationMail> all() {
        return switch (mail.trigger()) {
            case CREATED -> List.of(request(INVITATION, null));
            case REPEATED -> isCancelled(content(mail)) ? cancellations() : requests(INVITATION);
            case CHANGED -> isCancelled(content(mail)) ? cancellations() : changed();
            case DATE_CHANGED ->
                isCancelled(content(mail)) ? List.of(cancellation()) : List.of(request(UPDATE, null), farewell());
            case FOLLOWING_CHANGED -> following();
            case SHORTENED -> shortened();
            case DELETED -> cancellations();
            case DATE_CANCELLED -> List.of(cancellation());
            case ANSWERED -> List.of(ReplyLetter.of(change, mail, component(), content(mail)));
        };
    }

    private static boolean isCancelled(EventContent content) {
        return content.status() == EventStatus.CANCELLED;
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
        others.removeIf(address -> Guests.isOwn(address, change.inbox().address()));
        return others;
    }

    /**
     * Those whom a change is told to. That something is cancelled is no news to who was never invited to it; of a date
     * that was edited alone it is not known who was.
     */
    private static Set<String> informed(CalendarTx change, InvitationChange mail) {
        Set<String> others = invited(change, content(mail).guests());
        SeriesDate date = mail.date();
        boolean isCancelled = mail.trigger() == InvitationChange.Trigger.DELETED
                || (mail.trigger() == InvitationChange.Trigger.DATE_CANCELLED && date != null && date.own() == null);
        if (isCancelled) {
            others.retainAll(mail.event().mail().invited());
        }
        return others;
    }

    private List<String> invited(EventContent content) {
        return List.copyOf(invited(change, content.guests()));
    }

    private List<InvitationMail> requests(String prefix) {
        if (!parts.isParted()) {
            return List.of(request(prefix, null));
        }
        return parts.list().stream().map(part -> request(prefix, part)).toList();
    }

    private List<InvitationMail> changed() {
        List<InvitationMail> mails = new ArrayList<>(requests(UPDATE));
        mails.add(farewell());
        mails.addAll(cancelledParts());
        return mails;
    }

    /** The part that ends earlier now, and those behind it. */
    private List<InvitationMail> following() {
        Slot slot = Objects.requireNonNull(mail.date()).slot();
        List<SeriesParts.Part> all = parts.list();
        List<InvitationMail> mails = new ArrayList<>();
        for (int i = 0; i < all.size(); i++) {
            SeriesParts.Part part = all.get(i);
            boolean isLast = i + 1 == all.size();
            boolean isEarlier = !isLast
                    && all.get(i + 1).beginsBy(slot)
                    && !slot.equals(all.get(i + 1).cut());
            if (!isEarlier) {
                mails.add(
                        isCancelled(part.content())
                                ? cancelled(part.uid(), invited(part.content()))
                                : request(UPDATE, part));
            }
        }
        mails.add(farewell());
        return mails;
    }

    /** The part that ends earlier, and those that are gone with it. */
    private List<InvitationMail> shortened() {
        Slot slot = Objects.requireNonNull(mail.date()).slot();
        List<InvitationMail> mails = new ArrayList<>();
        List<SeriesParts.Part> all = parts.list();
        if (!parts.isParted()) {
            mails.add(request(UPDATE, null));
        } else if (!all.isEmpty() && !mail.cuts().contains(slot)) {
            mails.add(request(UPDATE, all.getLast()));
        }
        mails.addAll(cancelledParts());
        return mails;
    }

    /** Cancels the series with all its parts. */
    private List<InvitationMail> cancellations() {
        List<InvitationMail> mails = new ArrayList<>(List.of(cancellation()));
        mail.cuts().forEach(cut -> mails.add(cancelled(uid(cut), List.copyOf(informed(change, mail)))));
        return mails;
    }

    /** Cancels parts that are no parts any more. */
    private List<InvitationMail> cancelledParts() {
        Set<Slot> left = new LinkedHashSet<>();
        parts.list().forEach(part -> {
            if (part.cut() != null) {
                left.add(part.cut());
            }
        });
        return mail.cuts().stream()
                .filter(cut -> !left.contains(cut))
                .map(cut -> cancelled(uid(cut), invited(mail.event().content())))
                .toList();
    }

    private String uid(Slot cut) {
        return SeriesParts.uid(mail.event().origin().uid(), cut);
    }

    private InvitationMail request(String prefix, SeriesParts.@Nullable Part part) {
        boolean isWhole = part != null || !isOfDate(mail);
        List<EventComponent> all = isWhole ? components.withDates(wholeEvent, part) : List.of(component());
        EventContent content = part == null ? content(mail) : part.content();
        return mail(REQUEST, InvitationText.of(prefix, content), all, invited(content));
    }

    /** Tells everybody that it does not take place. */
    private InvitationMail cancellation() {
        return cancelled(component().identity().uid(), List.copyOf(informed(change, mail)));
    }

    /** Tells those who were invited and are not any more that it does not take place for them. */
    private InvitationMail farewell() {
        Set<String> before = new LinkedHashSet<>(
                mail.before() == null ? List.of() : mail.before().mail().invited());
        SeriesDate earlier = mail.dateBefore();
        if (earlier != null) {
            before.retainAll(invited(change, earlier.content().guests()));
        }
        before.removeAll(invited(change, content(mail).guests()));
        before.removeIf(address -> Guests.isOwn(address, change.inbox().address()));
        return cancelled(component().identity().uid(), List.copyOf(before));
    }

    private InvitationMail cancelled(String uid, List<String> recipients) {
        EventComponent event = component();
        EventComponent.Words words = event.words();
        boolean isStored = mail.trigger() != InvitationChange.Trigger.DELETED;
        boolean isPart = mail.trigger() == InvitationChange.Trigger.FOLLOWING_CHANGED
                || !uid.equals(event.identity().uid());
        EventComponent.Identity identity = event.identity();
        EventComponent cancelled = new EventComponent(
                new EventComponent.Identity(
                        uid,
                        isStored ? identity.sequence() : identity.sequence() + 1,
                        identity.stamp(),
                        isPart ? null : identity.recurrenceId()),
                event.schedule(),
                new EventComponent.Words(
                        words.summary(), words.description(), words.location(), EventStatus.CANCELLED.name(), null),
                event.organizer(),
                recipients.isEmpty() ? event.attendees() : named(event, recipients));
        return mail(CANCEL, InvitationText.of("Cancelled", content(mail)), List.of(cancelled), recipients);
    }

    /** Those whom a cancellation is for (RFC 5546 §3.2.5). */
    private List<EventComponent.Guest> named(EventComponent event, List<String> recipients) {
        SeriesDate earlier = mail.dateBefore();
        List<EventComponent.Guest> before = earlier != null
                ? components.of(earlier).attendees()
                : mail.before() == null
                        ? List.of()
                        : components.of(mail.before()).attendees();
        List<EventComponent.Guest> guests =
                Stream.concat(event.attendees().stream(), before.stream()).toList();
        return recipients.stream()
                .map(address -> guests.stream()
                        .filter(guest -> guest.person().email().equals(address))
                        .findFirst()
                        .orElseGet(() -> new EventComponent.Guest(
                                new EventComponent.Person(address, null), "REQ-PARTICIPANT", "NEEDS-ACTION")))
                .toList();
    }

    /** What the change is about, by the UID that attendees have. */
    private EventComponent component() {
        SeriesDate date = mail.date();
        return !isOfDate(mail) || date == null
                ? components.of(mail.event())
                : EventComponents.named(components.of(date), parts.uid(date.nominalStart()));
    }

    private InvitationMail mail(
            String method, InvitationMail.Text text, List<EventComponent> events, List<String> recipients) {
        return new InvitationMail(
                change.inbox().id(),
                change.operation(),
                method,
                text,
                new String(ICalendarWriter.write(method, events), StandardCharsets.UTF_8),
                null,
                recipients,
                change.author().after(mail.event().author()));
    }
}
