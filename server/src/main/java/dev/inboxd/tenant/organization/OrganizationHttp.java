package dev.inboxd.tenant.organization;

import dev.inboxd.base.access.Caller;
import dev.inboxd.base.access.Gate;
import dev.inboxd.base.access.Permission;
import dev.inboxd.base.database.Database;
import dev.inboxd.base.database.Outcome;
import dev.inboxd.base.database.StoredUsage;
import dev.inboxd.base.database.Tx;
import dev.inboxd.base.database.View;
import dev.inboxd.base.error.ErrorCode;
import dev.inboxd.base.error.Problem;
import dev.inboxd.base.http.Request;
import dev.inboxd.base.http.Response;
import dev.inboxd.base.http.Routes;
import dev.inboxd.base.json.JsonBody;
import dev.inboxd.base.json.JsonObject;
import dev.inboxd.base.json.RawJson;
import dev.inboxd.base.rate.StorageQuota;
import java.time.Instant;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The caller's organization over HTTP, and its participation in the labs (identity.md §7.2, §7.3). */
public final class OrganizationHttp {
    private static final int INBOXES_WHILE_UNVERIFIED = 1;

    private final Database database;
    private final int mostInboxes;
    private final int mostDomains;
    private final StorageQuota storage;
    private final Features features;

    /**
     * What the settings say of all organizations.
     *
     * @param labs whether this server has labs
     * @param messageSecurity the mode of an organization that chose none
     */
    public record Features(boolean labs, SecurityMode messageSecurity) {}

    /** The limits of an organization; {@link Integer#MAX_VALUE} for none. */
    public record Limits(int inboxes, int domains, StorageQuota storage) {}

    /** Routes to organizations. */
    public OrganizationHttp(Database database, Limits most, Features features) {
        this.database = database;
        this.mostInboxes = most.inboxes;
        this.mostDomains = most.domains;
        this.storage = most.storage;
        this.features = features;
    }

    /** Mounts the routes for the organization. */
    public void mount(Routes organization) {
        organization.get(Gate.ORGANIZATION_READ, "/organizations", this::get);
        organization.patch(Gate.ORGANIZATION_READ, "/organizations", this::update);
        organization.post(Permission.INBOX_UPDATE, "/organizations/stop", this::stop);
        organization.post(Permission.DRAFT_APPROVE, "/organizations/resume", this::resume);
        organization.get(Gate.ORGANIZATION_READ, "/organizations/labs", this::labs);
        organization.post(Gate.ORGANIZATION_KEY, "/organizations/labs", this::joinLabs);
    }

    private Response get(Request request) {
        return Response.ok(database.read(tx -> json(tx, request)));
    }

    /** Sets the mode of message security (ruling 79). What could not free one mail cannot free all that are to come. */
    private Response update(Request request) {
        Caller caller = request.caller();
        JsonBody body = request.body();
        SecurityMode mode = body.choice("message_security", SecurityMode.values(), SecurityMode::wireName);
        if (mode == null) {
            body.missing("message_security");
        }
        body.check();
        if (!caller.unrestricted()) {
            throw Problem.of(
                    ErrorCode.UNRESTRICTED_KEY_REQUIRED,
                    "Only an unrestricted key can change the organization",
                    "Use a key that was stored without permissions, or the console.");
        }
        SecurityMode requested = Objects.requireNonNull(mode);
        return Response.ok(request.change().of(database.write(caller.organization(), tx -> {
            SecurityMode before = mode(find(tx, request.view()));
            if (requested.compareTo(before) < 0) {
                caller.require(Permission.MESSAGE_RELEASE);
            }
            Organizations.setMessageSecurity(
                    tx, caller.organization(), requested, tx.next().at());
            return new Outcome<>(json(tx, request), requested != before);
        })));
    }

    private Response stop(Request request) {
        boolean everything = request.body().flag("everything", false);
        request.body().check();
        return changed(request, everything ? Organizations::stopEverything : Organizations::stopSending);
    }

    /** What was stopped does not free itself: resuming takes a permission that agents are not given. */
    private Response resume(Request request) {
        return changed(request, Organizations::resume);
    }

    @FunctionalInterface
    private interface SendingChange {
        int apply(Tx tx, UUID organization, Instant now);
    }

    private Response changed(Request request, SendingChange change) {
        Caller caller = request.caller();
        caller.require(Gate.ORGANIZATION_READ);
        return Response.ok(request.change().of(database.write(caller.organization(), tx -> {
            int changed = change.apply(tx, caller.organization(), tx.next().at());
            return new Outcome<>(json(tx, request), changed > 0);
        })));
    }

    private SecurityMode mode(Organization organization) {
        return Objects.requireNonNullElse(organization.messageSecurity(), features.messageSecurity);
    }

    private static Organization find(Tx tx, View view) {
        return Organizations.find(tx, view.organization()).orElseThrow(() -> Problem.notFound("Organization"));
    }

    /** Members about billing are absent: a self-hosted server has none. */
    private JsonObject json(Tx tx, Request request) {
        View view = request.view();
        // A session is a person's: he sees who he is here (ruling 172).
        String human = request.caller().credential() instanceof Caller.Credential.Session session
                ? Organizations.humanOf(tx, view.organization(), session.id())
                : null;
        Organization organization = find(tx, view);
        OrganizationUsage usage = OrganizationUsage.read(tx, view);
        // A key that may not see all mail must not learn its amount (promise P11).
        StoredUsage stored = view.hidden() == 0 ? usage.stored() : null;
        String type = organization.type().shownName();
        String account =
                request.caller().credential() instanceof Caller.Credential.Payer payer ? payer.account() : null;
        return JsonObject.of("organization_id", organization.id())
                .with("type", type)
                .with("authentication_type", type)
                .with("authentication_id", account)
                .with("human_email", human)
                .with("inbox_count", usage.inboxes())
                .with("domain_count", usage.domains())
                .with("inbox_limit", most(organization))
                .with("domain_limit", shown(mostDomains))
                .with("message_count", stored == null ? null : stored.messages())
                .with("storage_bytes", stored == null ? null : stored.bytes())
                .with("message_limit", storage.messages() == Integer.MAX_VALUE ? null : storage.messages())
                .with("storage_limit", storage.bytes() == Long.MAX_VALUE ? null : storage.bytes())
                .with("message_security", mode(organization).wireName())
                .with("sending_stopped_at", organization.sendingStoppedAt())
                .with("everything_stopped_at", organization.everythingStoppedAt())
                .with("updated_at", organization.updatedAt())
                .with("created_at", organization.createdAt());
    }

    private @Nullable Integer most(Organization organization) {
        return shown(organization.isUnverified() ? Math.min(INBOXES_WHILE_UNVERIFIED, mostInboxes) : mostInboxes);
    }

    private static @Nullable Integer shown(int most) {
        return most == Integer.MAX_VALUE ? null : most;
    }

    private Response labs(Request request) {
        return Response.ok(database.read(tx -> labs(find(tx, request.view()))));
    }

    /** Joining again changes nothing; leaving is not possible. */
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
        if (!features.labs) {
            throw Problem.of(ErrorCode.FORBIDDEN, "This server has no labs", "Its operator switched them off.");
        }
        return Response.ok(database.write(caller.organization(), tx -> {
            Organizations.joinLabs(tx, caller.organization(), tx.next().at());
            return labs(find(tx, request.view()));
        }));
    }

    /** The only object of the API with a null member (identity.md §7.3). */
    private Object labs(Organization organization) {
        Object since = organization.labsEnabledAt() == null ? new RawJson("null") : organization.labsEnabledAt();
        return JsonObject.of("enabled", organization.labsEnabledAt() != null)
                .with("enabled_at", since)
                .with("available", features.labs);
    }
}
