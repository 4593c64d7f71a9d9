package dev.inboxd.mailbox.storage;

import dev.inboxd.base.database.RoundTrip;
import dev.inboxd.base.database.RowStatement;
import dev.inboxd.base.database.View;
import dev.inboxd.base.id.Digests;
import dev.inboxd.mail.address.MailAddress;
import dev.inboxd.mailbox.message.Message;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Whom inboxes wrote to or heard from, by digests of the addresses, in one transaction. The addresses of From are taken
 * as they are written: whether an author is one is told by other members of the message.
 */
final class Correspondents {
    /** A row for each that is asked for; {@code known} tells whether those that were not met are strangers. */
    private static final String MET = """
            select {tenant}w.inbox_id, w.digest, c.digest is not null as met, i.correspondents_known as known
            from {rows} as w join inbox i on {i} and i.inbox_id = w.inbox_id
            left join correspondent c on c.organization_id = i.organization_id and c.inbox_id = i.inbox_id
                                     and c.digest = w.digest""";

    private static final RowStatement<Person> FIND = RowStatement.of(
            MET, RowStatement.uuid("inbox_id", Person::inbox), RowStatement.uuid("digest", Person::digest));

    private static final RowStatement<Person> INSERT = RowStatement.of(
            "insert into correspondent (organization_id, inbox_id, digest) select {organization}, r.* from {rows} as r"
                    + " on conflict do nothing",
            RowStatement.uuid("inbox_id", Person::inbox),
            RowStatement.uuid("digest", Person::digest));

    private final View view;
    private final Set<Person> lookups = new LinkedHashSet<>();
    private final Map<Person, Status> statuses = new HashMap<>();
    private final Set<Person> fresh = new LinkedHashSet<>();
    private RoundTrip.Result<FoundPerson> foundPeople = RoundTrip.Result.none();

    Correspondents(View view) {
        this.view = view;
    }

    private record Person(UUID inbox, UUID digest) {
        static Person of(UUID inbox, String shown) {
            String address = MailAddress.bare(shown).toLowerCase(Locale.ROOT);
            ByteBuffer digest = ByteBuffer.wrap(Digests.sha256(address));
            return new Person(inbox, new UUID(digest.getLong(), digest.getLong()));
        }
    }

    /** Whether an inbox knows somebody. */
    private enum Status {
        MET,
        STRANGER,
        /** The inbox is older than the list of those that it knows. */
        UNKNOWN
    }

    private record FoundPerson(Person person, Status status) {}

    /** Registers the people of a message that will be added. */
    void require(UUID inbox, Message.People people, boolean outgoing) {
        people(people, outgoing).forEach(shown -> lookups.add(Person.of(inbox, shown)));
    }

    private static List<String> people(Message.People people, boolean outgoing) {
        return outgoing ? people.recipients() : people.authors();
    }

    /** Adds the look-up to the round trip that takes the organization's clock. */
    void prefetch(RoundTrip opening) {
        foundPeople = opening.query(
                view,
                FIND,
                List.copyOf(lookups),
                row -> new FoundPerson(
                        new Person(row.uuid("inbox_id"), row.uuid("digest")),
                        row.flag("met") ? Status.MET : row.flag("known") ? Status.STRANGER : Status.UNKNOWN));
    }

    /** Reads the results of the look-up. */
    void applyPrefetched() {
        foundPeople.rows().forEach(row -> statuses.put(row.person, row.status));
    }

    /**
     * Remembers the people of a new message.
     *
     * @return for a received one, whether its author is a stranger; null when that is not known
     */
    @Nullable
    Boolean meet(UUID inbox, Message.People people, boolean outgoing) {
        Boolean first = null;
        for (String shown : people(people, outgoing)) {
            Person person = Person.of(inbox, shown);
            Status status = statuses.getOrDefault(person, Status.UNKNOWN);
            if (status != Status.MET) {
                fresh.add(person);
                statuses.put(person, Status.MET);
            }
            first = (outgoing || status == Status.UNKNOWN) ? null : Boolean.valueOf(status == Status.STRANGER);
        }
        return first;
    }

    /** Adds the inserts to a round trip. */
    void appendTo(RoundTrip trip) {
        trip.change(view, INSERT, new ArrayList<>(fresh));
    }
}
