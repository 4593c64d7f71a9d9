package dev.inboxd.send;

import dev.inboxd.database.Batched;
import dev.inboxd.database.Claim;
import dev.inboxd.database.Database;
import dev.inboxd.database.DatabaseFailure;
import dev.inboxd.database.RoundTrip;
import dev.inboxd.database.View;
import dev.inboxd.error.Problem;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Removes the notes of sends that were heard of: those of many organizations in one commit. */
final class Forgetting {
    private static final Logger LOG = LoggerFactory.getLogger(Forgetting.class);
    private static final int ORGANIZATIONS = 64;

    private static final Batched<Heard.Note> FORGET = Batched.of("delete from send_memory s using {rows} as r"
            + " where {s} and s.key = r.key and s.fence = r.fence",
            Batched.text("key", Heard.Note::key), Batched.bigint("fence", Heard.Note::fence));

    private final Database database;
    private final Heard heard;

    private Forgetting(Database database, Heard heard) {
        this.database = database;
        this.heard = heard;
    }

    /** The notes of one organization. */
    private record Some(UUID organization, List<Heard.Note> notes) {
        Database.Planned planned() {
            return new Database.Planned(organization, Claim.numbers(1), _ -> new Removal(organization, notes));
        }
    }

    private record Removal(UUID organization, List<Heard.Note> notes) implements Database.Change {
        @Override
        public void look(RoundTrip opening) {}

        @Override
        public void write(RoundTrip writes) {
            writes.change(View.of(organization), FORGET, notes);
        }

        @Override
        public @Nullable Runnable rest() {
            return null;
        }
    }

    /** Removes what can be forgotten; what cannot be removed now is tried again at the next run. */
    static void run(Database database, Heard heard) {
        Map<UUID, List<Heard.Note>> notes =
                heard.forgettable().stream().collect(Collectors.groupingBy(Heard.Note::organization));
        List<Some> all = new ArrayList<>();
        notes.forEach((organization, some) -> all.add(new Some(organization, some)));
        for (int from = 0; from < all.size(); from += ORGANIZATIONS) {
            new Forgetting(database, heard).forget(all.subList(from, Math.min(from + ORGANIZATIONS, all.size())));
        }
    }

    private void forget(List<Some> some) {
        try {
            Set<UUID> busy = database.write(some.stream().map(Some::planned).toList());
            some.stream().filter(each -> !busy.contains(each.organization)).forEach(each -> heard.forget(each.notes));
            some.stream().filter(each -> busy.contains(each.organization)).forEach(this::forgetAlone);
        } catch (Problem | DatabaseFailure away) {
            LOG.debug("The answered sends of {} organizations are forgotten later", some.size(), away);
        }
    }

    /** Somebody has its clock, for whom no other organization waited. */
    private void forgetAlone(Some some) {
        try {
            database.write(some.planned());
            heard.forget(some.notes);
        } catch (Problem | DatabaseFailure busy) {
            LOG.debug("The answered sends of organization {} are forgotten later", some.organization, busy);
        }
    }
}
