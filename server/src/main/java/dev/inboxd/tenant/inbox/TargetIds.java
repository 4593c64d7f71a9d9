package dev.inboxd.tenant.inbox;

import dev.inboxd.base.json.JsonBody;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** Ids of pods or inboxes as a client writes them: a set, whose spellings are one (ruling 151). */
public final class TargetIds {
    private static final int MOST_WRITTEN = 1_000;

    private TargetIds() {}

    /**
     * The ids of a member, in lower case and without white space around them; faults are added to the body.
     *
     * @param most different ids
     */
    public static Set<String> read(JsonBody body, String name, int most) {
        Set<String> ids = of(body.strings(name).most(MOST_WRITTEN).list());
        if (ids.size() > most) {
            body.fault(name, name + " must have at most " + most + " items, not " + ids.size());
        }
        return ids;
    }

    /** The different ones of these, in their order. */
    public static Set<String> of(List<String> written) {
        Set<String> ids = new LinkedHashSet<>();
        written.forEach(id -> ids.add(id.strip().toLowerCase(Locale.ROOT)));
        return ids;
    }
}
