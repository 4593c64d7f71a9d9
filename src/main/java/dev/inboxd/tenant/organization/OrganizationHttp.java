package dev.inboxd.tenant.organization;

import dev.inboxd.platform.access.Caller;
import dev.inboxd.platform.access.Gate;
import dev.inboxd.platform.database.Database;
import dev.inboxd.platform.database.StoredUsage;
import dev.inboxd.platform.database.Tx;
import dev.inboxd.platform.database.View;
import dev.inboxd.platform.error.ErrorCode;
import dev.inboxd.platform.error.Problem;
import dev.inboxd.platform.http.Request;
import dev.inboxd.platform.http.Response;
import dev.inboxd.platform.http.Routes;
import dev.inboxd.platform.json.JsonObject;
import dev.inboxd.platform.json.RawJson;
import dev.inboxd.platform.rate.StorageQuota;
import java.util.function.ToIntBiFunction;
import org.jspecify.annotations.Nullable;

/** The caller's organization over HTTP, and its part in the labs (identity.md §7.2, §7.3). */
public final class OrganizationHttp {
    private static final int INBOXES_WHILE_UNVERIFIED = 1;

    private final Database database;
    private final Count inboxes;
    private final Count domains;
    private final StorageQuota room;
    private final boolean labs;

    /**
     * How many there are of something.
     *
     * @param live counts those that a view shows
     * @param most how many there may be; no bound at {@link Integer#MAX_VALUE}
     */
    public record Count(ToIntBiFunction<Tx, View> live, int most) {
        @Nullable
        Integer limit() {
            return most == Integer.MAX_VALUE ? null : most;
        }
    }

    /** What an organization may have. */
    public record Limits(Count inboxes, Count domains, StorageQuota room) {}

    /**
     * Routes to organizations.
     *
     * @param labs whether this server has labs at all
     */
    public OrganizationHttp(Database database, Limits most, boolean labs) {
        this.database = database;
        this.inboxes = most.inboxes;
        this.domains = most.domains;
        this.room = most.room;
        this.labs = labs;
    }

    /** Mounts them at the organization's level. */
    public void mount(Routes organization) {
        organization.get(Gate.ORGANIZATION_READ, "/organizations", this::get);
        organization.get(Gate.ORGANIZATION_READ, "/organizations/labs", this::labs);
        organization.post(Gate.ORGANIZATION_KEY, "/organizations/labs", this::joinLabs);
    }

    private Response get(Request request) {
        View view = request.view();
        // Who may not see some of the mail is not to see by its amount that it came (promise P11).
        return Response.ok(database.read(tx -> json(
                find(tx, view),
                inboxes.live.applyAsInt(tx, view),
                domains.live.applyAsInt(tx, view),
                view.hidden() == 0 ? StorageQuota.usage(tx, view.organization()) : null)));
    }

    private static Organization find(Tx tx, View view) {
        return Organizations.find(tx, view.organization()).orElseThrow(() -> Problem.notFound("Organization"));
    }

    /** What belongs to billing is absent: a server of one's own has none. */
    private JsonObject json(Organization organization, int inboxCount, int domainCount, @Nullable StoredUsage kept) {
        String type = organization.type().isAgents() ? organization.type().wireName() : "console";
        return JsonObject.of("organization_id", organization.id())
                .with("type", type)
                .with("authentication_type", type)
                .with("inbox_count", inboxCount)
                .with("domain_count", domainCount)
                .with("inbox_limit", most(organization))
                .with("domain_limit", domains.limit())
                .with("message_count", kept == null ? null : kept.messages())
                .with("storage_bytes", kept == null ? null : kept.bytes())
                .with("message_limit", room.messages() == Integer.MAX_VALUE ? null : room.messages())
                .with("storage_limit", room.bytes() == Long.MAX_VALUE ? null : room.bytes())
                .with("updated_at", organization.updatedAt())
                .with("created_at", organization.createdAt());
    }

    private @Nullable Integer most(Organization organization) {
        int most = organization.isUnverified() ? Math.min(INBOXES_WHILE_UNVERIFIED, inboxes.most) : inboxes.most;
        return most == Integer.MAX_VALUE ? null : most;
    }

    private Response labs(Request request) {
        return Response.ok(database.read(tx -> labs(find(tx, request.view()))));
    }

    /** Joining twice changes nothing; there is no way out. */
    private Response joinLabs(Request request) {
        Caller caller = request.caller();
        if (!caller.unrestricted()) {
            throw Problem.of(ErrorCode.UNRESTRICTED_KEY_REQUIRED, "Only an unrestricted key can join the labs");
        }
        if (caller.unverified()) {
            throw Problem.of(
                    ErrorCode.MISSING_PERMISSION,
                    "Forbidden",
                    "The organization must be verified first:"
                            + " POST /v0/agent/verify with the code sent to the human.");
        }
        if (!labs) {
            throw Problem.of(ErrorCode.FORBIDDEN, "This server has no labs", "Its operator switched them off.");
        }
        return Response.ok(database.write(caller.organization(), tx -> {
            Organizations.joinLabs(tx, caller.organization(), tx.next().at());
            return labs(find(tx, request.view()));
        }));
    }

    /** The one object of the interface that has a member of value null (identity.md §7.3). */
    private Object labs(Organization organization) {
        Object since = organization.labsEnabledAt() == null ? new RawJson("null") : organization.labsEnabledAt();
        return JsonObject.of("enabled", organization.labsEnabledAt() != null)
                .with("enabled_at", since)
                .with("available", labs);
    }
}
