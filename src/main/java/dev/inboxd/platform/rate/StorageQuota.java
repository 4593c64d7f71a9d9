package dev.inboxd.platform.rate;

import dev.inboxd.platform.database.Database;
import dev.inboxd.platform.database.StoredUsage;
import dev.inboxd.platform.database.Tx;
import dev.inboxd.platform.database.View;
import dev.inboxd.platform.error.ErrorCode;
import dev.inboxd.platform.error.Problem;
import java.util.UUID;

/**
 * How much an organization may keep, whoever sends it (promises.md A43). It is counted in the commits that store and
 * delete, so no number of messages at once, on any number of nodes, gets beyond it.
 *
 * @param megabytes of messages and drafts, in units of 2^20 bytes
 * @param messages how many
 */
public record StorageQuota(int megabytes, int messages) {
    /** How the setting names them. */
    public static final String MEGABYTES = "stored_megabytes";
    /** The same of messages. */
    public static final String MESSAGES = "stored_messages";

    private static final int ANY = Integer.MAX_VALUE;

    /** Any amount. */
    public static final StorageQuota NONE = new StorageQuota(ANY, ANY);

    private static final int MEGABYTE_BITS = 20;

    /** Whether nothing is bounded. */
    public boolean isNone() {
        return equals(NONE);
    }

    /** The most bytes; {@link Long#MAX_VALUE} for any number. */
    public long bytes() {
        return megabytes == ANY ? Long.MAX_VALUE : (long) megabytes << MEGABYTE_BITS;
    }

    /** Whether so much may be kept. */
    public boolean allows(StoredUsage kept) {
        return kept.bytes() <= bytes() && (messages == ANY || kept.messages() <= messages);
    }

    /**
     * Refuses to keep more than is allowed. What is kept may always become less.
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
     * Refuses early what would be refused in its commit, before bytes are written for nothing.
     *
     * @param more what is to be kept
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

    /** How much an organization keeps now. */
    public static StoredUsage usage(Tx tx, UUID organization) {
        return tx.sql(View.of(organization), "select k.messages, k.bytes from organization_clock k where {k}")
                .one(row -> new StoredUsage(row.longer("messages"), row.longer("bytes")));
    }
}
