package dev.inboxd.sandbox.fault;

import dev.inboxd.base.access.Gate;
import dev.inboxd.base.database.Database;
import dev.inboxd.base.database.Tx;
import dev.inboxd.base.database.View;
import dev.inboxd.base.error.Problem;
import dev.inboxd.base.http.BodyLimit;
import dev.inboxd.base.http.OwnPages;
import dev.inboxd.base.http.Request;
import dev.inboxd.base.http.Response;
import dev.inboxd.base.http.Routes;
import dev.inboxd.base.id.Uuid7;
import dev.inboxd.base.json.JsonObject;
import dev.inboxd.sandbox.access.WorldOwner;
import java.util.List;
import java.util.UUID;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** What is to fail, over HTTP. */
public final class FaultHttp {
    private static final String PATH = "/sandbox/faults";
    private static final int MOST = 100;
    private static final BodyLimit LIMIT = new BodyLimit(64 << 10, false);

    private final Database database;
    private final WorldFaults faults;
    private final Predicate<String> isRoute;

    /**
     * The faults of a database.
     *
     * @param isRoute whether there is a route of that template, asked when a fault is made
     */
    public FaultHttp(Database database, WorldFaults faults, Predicate<String> isRoute) {
        this.database = database;
        this.faults = faults;
        this.isRoute = isRoute;
    }

    /** Mounts the routes. */
    public void mount(Routes root) {
        root.post(Gate.ANY_KEY, PATH, LIMIT, new OwnPages(this::create));
        root.get(Gate.ANY_KEY, PATH, new OwnPages(this::list));
        root.delete(Gate.ANY_KEY, PATH, new OwnPages(this::deleteAll));
        root.delete(Gate.ANY_KEY, PATH + "/{fault_id}", new OwnPages(this::delete));
    }

    private Response create(Request request) {
        WorldOwner.require(request.caller());
        FaultTerms terms = FaultTermsReader.read(request.body(), isRoute);
        View all = View.of(request.view().organization());
        WorldFault created = database.write(all.organization(), tx -> create(tx, all, terms));
        faults.follow();
        return Response.ok(created.json(faults.realNow()));
    }

    private WorldFault create(Tx tx, View all, FaultTerms terms) {
        String webhook = terms.text("webhook_id");
        if (!webhook.isEmpty() && !FaultSql.hasWebhook(tx, all, webhook)) {
            throw Problem.notFound("Webhook");
        }
        FaultSql.deleteOver(tx, all, faults.realNow());
        if (FaultSql.count(tx, all) >= MOST) {
            throw Problem.limit(
                    "faults", MOST, "An organization has at most " + MOST + " faults", "Delete some of them.");
        }
        Integer seconds = terms.seconds();
        WorldFault fault = new WorldFault(
                all.organization(),
                Uuid7.next(),
                terms,
                terms.times(),
                seconds == null ? null : faults.realNow().plusSeconds(seconds),
                tx.next().at());
        FaultSql.insert(tx, all, fault);
        faults.changed(tx, all.organization());
        return fault;
    }

    private Response list(Request request) {
        WorldOwner.require(request.caller());
        View all = View.of(request.view().organization());
        List<JsonObject> lasting = database.read(tx -> FaultSql.list(tx, all)).stream()
                .filter(fault -> !fault.isOver(faults.realNow()))
                .map(fault -> fault.json(faults.realNow()))
                .toList();
        return Response.ok(JsonObject.of("count", lasting.size()).with("faults", lasting));
    }

    private Response delete(Request request) {
        WorldOwner.require(request.caller());
        View all = View.of(request.view().organization());
        UUID fault = id(request.path("fault_id"));
        boolean isGone = fault != null
                && database.<Boolean>write(all.organization(), tx -> {
                    faults.changed(tx, all.organization());
                    return FaultSql.delete(tx, all, fault);
                });
        if (!isGone) {
            throw Problem.notFound("Fault");
        }
        faults.follow();
        return Response.ok();
    }

    private Response deleteAll(Request request) {
        WorldOwner.require(request.caller());
        View all = View.of(request.view().organization());
        database.run(all.organization(), tx -> {
            FaultSql.deleteAll(tx, all);
            faults.changed(tx, all.organization());
        });
        faults.follow();
        return Response.ok();
    }

    private static @Nullable UUID id(String text) {
        try {
            return UUID.fromString(text);
        } catch (IllegalArgumentException malformed) {
            return null;
        }
    }
}
