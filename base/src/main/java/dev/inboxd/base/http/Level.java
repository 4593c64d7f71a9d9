package dev.inboxd.base.http;

/**
 * Level of the interface at which a route is mounted. A resource mounts the same handlers at several levels, and the
 * level narrows the view.
 */
public enum Level {
    /** Outside the versioned interface: health, metrics, downloads. The template is the whole path. */
    ROOT(""),
    /** All that the credential may see. */
    ORGANIZATION("/v0"),
    /** The organization itself; closed to credentials of a pod or an inbox (identity.md §5.4). */
    ORGANIZATION_ITSELF("/v0"),
    /** Resources of the organization and its pods; closed to inbox credentials (identity.md §5.4). */
    ORGANIZATION_OR_POD("/v0"),
    /** One pod; closed to inbox credentials (identity.md §5.4). */
    POD("/v0/pods/{pod_id}"),
    /** One inbox. */
    INBOX("/v0/inboxes/{inbox_id}");

    private final String prefix;

    Level(String prefix) {
        this.prefix = prefix;
    }

    /** Prefix of the template of each route of this level. */
    public String prefix() {
        return prefix;
    }
}
