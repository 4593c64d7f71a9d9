package dev.inboxd.sandbox.person;

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
import dev.inboxd.base.json.JsonBody;
import dev.inboxd.base.json.JsonObject;
import dev.inboxd.sandbox.access.RecipientPattern;
import dev.inboxd.sandbox.access.WorldOwner;
import dev.inboxd.tenant.inbox.InboxScopeResolver;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The rules by which addresses answer, over HTTP. */
public final class RecipientRuleHttp {
    private static final String PATH = "/sandbox/recipients";
    private static final int MOST = 1_000;
    private static final long MOST_OCTETS = 4L << 20;
    private static final int MOST_TIMES = 100_000;
    /** Each mail keeps its step. */
    private static final BodyLimit LIMIT = new BodyLimit(256 << 10, false);

    private final Database database;

    /** The rules in a database. */
    public RecipientRuleHttp(Database database) {
        this.database = database;
    }

    /** Mounts the routes. */
    public void mount(Routes root) {
        root.post(Gate.ANY_KEY, PATH, LIMIT, new OwnPages(this::create));
        root.get(Gate.ANY_KEY, PATH, new OwnPages(this::list));
        root.delete(Gate.ANY_KEY, PATH + "/{rule_id}", new OwnPages(this::delete));
    }

    private Response create(Request request) {
        WorldOwner.require(request.caller());
        JsonBody body = request.body();
        String match = body.string("match").as(RecipientPattern::parse, RecipientPattern.EXPECTED);
        if (!body.isGiven("match")) {
            body.missing("match");
        }
        String inbox = body.string("inbox_id").optional();
        Long times = body.integer("times", 1, MOST_TIMES);
        List<Step> steps = StepMember.read(body);
        body.check();
        View all = View.of(request.view().organization());
        return Response.ok(database.write(all.organization(), tx -> {
                    RecipientRule rule = new RecipientRule(
                            Uuid7.next(),
                            Objects.requireNonNull(match),
                            inbox == null ? null : sender(tx, all, inbox),
                            StepMember.stored(steps),
                            times == null ? null : times.intValue(),
                            0,
                            tx.next().at());
                    requireRoom(tx, all, rule);
                    RecipientRuleSql.insert(tx, all, rule);
                    return rule;
                })
                .json());
    }

    private static void requireRoom(Tx tx, View all, RecipientRule more) {
        RecipientRuleSql.Size size = RecipientRuleSql.size(tx, all);
        if (size.rules() >= MOST) {
            throw Problem.limit(
                    "rules", MOST, "An organization has at most " + MOST + " rules", "Delete some of them.");
        }
        if (size.octets() + more.script().length() > MOST_OCTETS) {
            throw Problem.limit(
                    "script_bytes",
                    MOST_OCTETS,
                    "The scripts of an organization have at most " + MOST_OCTETS + " bytes",
                    "Delete some rules.");
        }
    }

    private static RecipientRule.Sender sender(Tx tx, View all, String inbox) {
        return InboxScopeResolver.find(tx, all, inbox)
                .map(resolved -> new RecipientRule.Sender(resolved.id(), resolved.address()))
                .orElseThrow(() -> Problem.notFound("Inbox"));
    }

    private Response list(Request request) {
        WorldOwner.require(request.caller());
        View all = View.of(request.view().organization());
        List<JsonObject> rules = database.read(tx -> RecipientRuleSql.list(tx, all)).stream()
                .map(RecipientRule::json)
                .toList();
        return Response.ok(JsonObject.of("count", rules.size()).with("rules", rules));
    }

    private Response delete(Request request) {
        WorldOwner.require(request.caller());
        View all = View.of(request.view().organization());
        UUID rule = id(request.path("rule_id"));
        if (rule == null || !database.write(all.organization(), tx -> RecipientRuleSql.delete(tx, all, rule))) {
            throw Problem.notFound("Rule");
        }
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
