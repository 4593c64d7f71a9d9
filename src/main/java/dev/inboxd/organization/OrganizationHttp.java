package dev.inboxd.organization;

import dev.inboxd.access.Gate;
import dev.inboxd.database.Database;
import dev.inboxd.database.Tx;
import dev.inboxd.database.View;
import dev.inboxd.error.Problem;
import dev.inboxd.http.Request;
import dev.inboxd.http.Response;
import dev.inboxd.http.Routes;
import dev.inboxd.json.JsonObject;
import java.util.function.ToIntBiFunction;
import org.jspecify.annotations.Nullable;

/** The caller's organization over HTTP (contract: identity.md §7.2). */
public final class OrganizationHttp {
    private static final int INBOXES_WHILE_UNVERIFIED = 1;

    private final Database database;
    private final ToIntBiFunction<Tx, View> inboxCount;
    private final int mostInboxes;

    /**
     * Routes to organizations.
     *
     * @param inboxCount counts the inboxes that a view shows
     * @param mostInboxes how many an organization may have; {@link Integer#MAX_VALUE} for any number
     */
    public OrganizationHttp(Database database, ToIntBiFunction<Tx, View> inboxCount, int mostInboxes) {
        this.database = database;
        this.inboxCount = inboxCount;
        this.mostInboxes = mostInboxes;
    }

    /** Mounts them at the organization's level. */
    public void mount(Routes organization) {
        organization.get(Gate.ORGANIZATION_READ, "/organizations", this::get);
    }

    private Response get(Request request) {
        View view = request.view();
        return Response.ok(database.read(tx -> {
            Organization organization = Organizations.find(tx, view.organization())
                    .orElseThrow(() -> Problem.notFound("Organization"));
            return json(organization, inboxCount.applyAsInt(tx, view));
        }));
    }

    /** Billing is absent, and so is a limit where there is none. */
    private JsonObject json(Organization organization, int inboxes) {
        String type = organization.type().isAgents() ? organization.type().wire() : "console";
        return JsonObject.of("organization_id", organization.id()).with("type", type)
                .with("authentication_type", type).with("inbox_count", inboxes).with("domain_count", 0)
                .with("inbox_limit", limit(organization))
                .with("updated_at", organization.updatedAt()).with("created_at", organization.createdAt());
    }

    private @Nullable Integer limit(Organization organization) {
        int most = organization.isUnverified() ? Math.min(INBOXES_WHILE_UNVERIFIED, mostInboxes) : mostInboxes;
        return most == Integer.MAX_VALUE ? null : most;
    }
}
