package dev.inboxd.tenant.pod;

import dev.inboxd.base.error.Fault;
import dev.inboxd.base.error.Problem;
import dev.inboxd.base.json.JsonBody;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A change of a pod (identity.md §10).
 *
 * @param name the new name, or null for no change
 * @param describes whether the description changes, to {@code description}, where null clears it
 */
record PodChange(
        @Nullable String name, boolean describes, @Nullable String description) {
    /**
     * Reads a request's body.
     *
     * @throws Problem {@code validation_error} with all faults
     */
    static PodChange read(JsonBody body) {
        String name = NewPod.name(body);
        if (body.isNull("name")) {
            body.fault("name", "A pod keeps a name; leave name out to keep the one it has");
        }
        String description = NewPod.description(body);
        body.check();
        if (name == null && !body.has("description")) {
            throw Problem.invalid(List.of(new Fault(List.of(), "Give name or description")));
        }
        return new PodChange(name, body.has("description"), description);
    }

    /** The pod after the change. */
    Pod appliedTo(Pod before) {
        return new Pod(
                before.id(),
                name == null ? before.name() : name,
                describes ? description : before.description(),
                before.clientId(),
                before.isDefault(),
                before.sendingStoppedAt(),
                before.inboxes(),
                before.createdAt(),
                before.updatedAt());
    }
}
