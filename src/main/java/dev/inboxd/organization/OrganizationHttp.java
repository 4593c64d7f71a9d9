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

/** The caller's organization over HTTP (contract: identity.md §7.2). */
public final class OrganizationHttp {
    private static final int INBOXES_WHILE_UNVERIFIED = 1;

    private final Database database;
    private final ToIntBiFunction<Tx, View> inboxCount;

    /**
     * Routes to organizations.
     *
     * @param inboxCount counts the inboxes that a view shows
     */
    public OrganizationHttp(Database database, ToIntBiFunction<Tx, View> inboxCount) {
        this.database = database;
        this.inboxCount = inboxCount;
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

    /** Limits and billing are absent: a server of one's own has neither. */
    private static JsonObject json(Organization organization, int inboxes) {
        String type = organization.type().isAgents() ? organization.type().wire() : "console";
        return JsonObject.of("organization_id", organization.id()).with("type", type)
                .with("authentication_type", type).with("inbox_count", inboxes).with("domain_count", 0)
                .with("inbox_limit", organization.isUnverified() ? INBOXES_WHILE_UNVERIFIED : null)
                .with("updated_at", organization.updatedAt()).with("created_at", organization.createdAt());
    }
}
