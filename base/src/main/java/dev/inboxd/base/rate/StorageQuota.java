package dev.inboxd.base.rate;

import dev.inboxd.base.database.Database;
import dev.inboxd.base.database.StoredUsage;
import dev.inboxd.base.database.Tx;
import dev.inboxd.base.database.View;
import dev.inboxd.base.error.ErrorCode;
import dev.inboxd.base.error.Problem;
import java.util.UUID;

/**
 * Storage limit of an organization, whatever the sender (promises.md A43). Usage is counted in the commits that store
 * and delete, so no number of concurrent messages, on any number of nodes, exceeds it.
 *
 * @param megabytes messages and drafts, in units of 2^20 bytes
 * @param messages number of messages
 */
public record StorageQuota(int megabytes, int messages) {
    /** Name of the limit on bytes in the setting. */
    public static final String MEGABYTES = "stored_megabytes";
    /** Name of the limit on messages. */
    public static final String MESSAGES = "stored_messages";

    private static final int ANY = Integer.MAX_VALUE;

    /** No limit. */
    public static final StorageQuota NONE = new StorageQuota(ANY, ANY);

    private static final int MEGABYTE_BITS = 20;

    /** Whether there is no limit. */
    public boolean isNone() {
        return equals(NONE);
    }

    /** The most bytes; {@link Long#MAX_VALUE} for no limit. */
    public long bytes() {
        return megabytes == ANY ? Long.MAX_VALUE : (long) megabytes << MEGABYTE_BITS;
    }

    /** Whether this usage is within the limit. */
    public boolean allows(StoredUsage usage) {
        return usage.bytes() <= bytes() && (messages == ANY || usage.messages() <= messages);
    }

    /**
     * Throws when a change exceeds the limit. A change that reduces the usage is always allowed.
     *
     * @throws Problem {@code limit_exceeded}: waiting does not help, deleting does
     */
    public void require(StoredUsage before, StoredUsage after) {
        if (after.bytes() > before.bytes() && after.bytes() > bytes()) {
            throw refusal(MEGABYTES, megabytes, megabytes + " megabytes");
        }
        if (messages != ANY && after.messages() > before.messages() && after.messages() > messages) {
            throw refusal(MESSAGES, messages, messages + " messages");
        }
    }

    /**
     * Throws early, before bytes are written in vain, when the commit would throw.
     *
     * @param more usage that the change adds
     * @throws Problem {@code limit_exceeded}
     */
    public void require(Database database, UUID organization, StoredUsage more) {
        if (!isNone()) {
            StoredUsage before = database.read(tx -> usage(tx, organization));
            require(before, before.plus(more));
        }
    }

    private static Problem refusal(String quota, int most, String amount) {
        return Problem.of(
                        ErrorCode.LIMIT_EXCEEDED,
                        "The organization keeps its " + amount + " already",
                        "Delete messages, drafts or inboxes that are not needed any more.")
                .with("resource", quota)
                .with("limit", most);
    }

    /** The organization's current usage. */
    public static StoredUsage usage(Tx tx, UUID organization) {
        return tx.sql(View.of(organization), "select k.messages, k.bytes from organization_clock k where {k}")
                .single(row -> new StoredUsage(row.longer("messages"), row.longer("bytes")));
    }
}
