package dev.inboxd.platform.http;

/** Where routes are mounted: a resource mounts the same handlers at each level, and the level narrows the view. */
public enum Level {
    /** Outside the interface: health, metrics, downloads. The template is the whole path. */
    ROOT(""),
    /** Everything the credential may see. */
    ORGANIZATION("/v0"),
    /** The organization itself; closed to credentials of a pod or an inbox (identity.md §5.4). */
    ORGANIZATION_ITSELF("/v0"),
    /** What the organization and its pods have; closed to inbox credentials (identity.md §5.4). */
    ORGANIZATION_OR_POD("/v0"),
    /** One pod of it; closed to inbox credentials (identity.md §5.4). */
    POD("/v0/pods/{pod_id}"),
    /** One inbox of it. */
    INBOX("/v0/inboxes/{inbox_id}");

    private final String prefix;

    Level(String prefix) {
        this.prefix = prefix;
    }

    /** What precedes the template of each route of this level. */
    public String prefix() {
        return prefix;
    }
}
