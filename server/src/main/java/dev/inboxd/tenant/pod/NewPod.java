package dev.inboxd.tenant.pod;

import dev.inboxd.base.json.ClientIds;
import dev.inboxd.base.json.JsonBody;
import org.jspecify.annotations.Nullable;

/**
 * A request for a new pod (identity.md §10).
 *
 * @param name null for a name made from its id
 */
record NewPod(
        @Nullable String name,
        @Nullable String description,
        @Nullable String clientId) {
    static final int LONGEST_NAME = 256;
    static final int LONGEST_DESCRIPTION = 1_024;

    /**
     * Reads a request's body.
     *
     * @throws dev.inboxd.base.error.Problem {@code validation_error} with all faults
     */
    static NewPod read(JsonBody body) {
        String name = name(body);
        String description = description(body);
        String clientId = ClientIds.read(body);
        body.check();
        return new NewPod(name, description, clientId);
    }

    /** The stripped member {@code name}, or null when absent. */
    static @Nullable String name(JsonBody body) {
        String name = body.string("name").keepEmpty().max(LONGEST_NAME).optional();
        if (name != null && name.isBlank()) {
            body.fault("name", "name must have 1 to " + LONGEST_NAME + " characters");
        }
        return name == null ? null : name.strip();
    }

    /** The member {@code description}; null when absent or empty. */
    static @Nullable String description(JsonBody body) {
        String description =
                body.string("description").max(LONGEST_DESCRIPTION).multiline().optional();
        return description == null || description.isEmpty() ? null : description;
    }
}
