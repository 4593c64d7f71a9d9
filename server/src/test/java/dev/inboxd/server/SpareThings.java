package dev.inboxd.server;

import dev.inboxd.base.access.Scope;
import dev.inboxd.server.AccessMatrix.Line;
import dev.inboxd.server.AccessMatrix.Target;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Things for the routes that use one of them up. Making them takes twenty requests, so that several routes take from
 * the same ones, each another of them.
 */
final class SpareThings {
    private static final String MESSAGE = "message_id";
    private static final String DRAFT = "draft_id";
    /** Without faults, which one call deletes all. */
    private static final Set<String> OTHERS = Set.of(
            "domain_id",
            "event_id",
            "api_key_id",
            "pod_api_key_id",
            "inbox_api_key_id",
            "webhook_id",
            "polling_webhook_id",
            "rule_id",
            "entry");

    private final Tenants tenants;
    private final List<Opened> opened = new ArrayList<>();

    /** What was made for one scope, and the names of what was taken of it. */
    private record Opened(Scope scope, Tenants.Things things, Set<String> taken) {}

    SpareThings(Tenants tenants) {
        this.tenants = tenants;
    }

    /**
     * Own things of that scope of which what the line names was not taken yet.
     *
     * @param usesDraft whether the line uses the draft up, whatever it names
     */
    synchronized Tenants.Things take(Line line, Scope scope, boolean usesDraft) {
        String name = usesDraft ? DRAFT : usedUp(line);
        if (name.isEmpty()) {
            return tenants.make(scope, Target.OWN);
        }
        for (Opened each : opened) {
            if (each.scope == scope && each.taken.add(name)) {
                return each.things;
            }
        }
        Opened more = new Opened(scope, tenants.make(scope, Target.OWN), new HashSet<>(Set.of(name)));
        opened.add(more);
        return more.things;
    }

    /** What goes with the last thing of the path, or nothing when it is a pod or an inbox, with which all goes. */
    private static String usedUp(Line line) {
        String path = line.named();
        if (path.contains("_id}/claim")) {
            return MESSAGE; // each is of a thread of its own
        }
        String last = path.substring(path.lastIndexOf('{') + 1, Math.max(path.lastIndexOf('}'), 0));
        if (last.equals("thread_id")) {
            return MESSAGE;
        }
        return last.equals(MESSAGE) || last.equals(DRAFT) || OTHERS.contains(last) ? last : "";
    }
}
