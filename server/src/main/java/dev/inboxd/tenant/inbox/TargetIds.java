package dev.inboxd.tenant.inbox;

import dev.inboxd.base.json.JsonBody;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/** Ids of pods or inboxes as a client writes them: a set, whose spellings are one (ruling 151). */
public final class TargetIds {
    private static final int MOST_WRITTEN = 1_000;

    private static final Pattern UUID = Pattern.compile("[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}");

    private TargetIds() {}

    /**
     * The ids of a member without white space around them; addresses and UUIDs in lower case, a client_id as it is.
     * Faults are added to the body.
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
        written.forEach(id -> ids.add(normal(id.strip())));
        return ids;
    }

    private static String normal(String id) {
        return id.indexOf('@') >= 0 || UUID.matcher(id).matches() ? id.toLowerCase(Locale.ROOT) : id;
    }
}
