package dev.inboxd.tenant.audit;

import dev.inboxd.platform.access.Caller;
import dev.inboxd.platform.database.Database;
import dev.inboxd.platform.database.Tx;
import dev.inboxd.platform.database.View;
import dev.inboxd.platform.http.Request;
import dev.inboxd.platform.http.RequestObserver;
import dev.inboxd.platform.http.Response;
import dev.inboxd.platform.id.Uuid7;
import dev.inboxd.platform.json.Json;
import dev.inboxd.platform.json.JsonBody;
import dev.inboxd.platform.json.JsonObject;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps who changed what (approvals.md §6), and what keys ask for (approvals.md §7). An entry of the log is written
 * after its change and before the answer.
 */
public final class AuditLog implements RequestObserver, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(AuditLog.class);
    /** Requests that wait for their rows; each takes some 300 octets. */
    private static final int ROOM = 10_000;
    /** Members whose values are kept: words of the interface, never what people wrote. */
    private static final List<String> WORDS = List.of("status", "send_approval", "message_security");

    private final Database database;
    private final InstantSource clock;
    private final RequestBuffer<KeyRequest> requests;
    private final RequestBuffer<MessageCall> calls;

    /** The log of a database. */
    public AuditLog(Database database, InstantSource clock) {
        this.database = database;
        this.clock = clock;
        this.requests = new RequestBuffer<>(database, ROOM, AuditSql.INSERT_REQUESTS, KeyRequest::organization);
        this.calls = new RequestBuffer<>(database, ROOM, AuditSql.INSERT_CALLS, MessageCall::organization);
    }

    /** Starts writing the requests of keys. */
    public void start() {
        requests.start();
        calls.start();
    }

    @Override
    public void close() {
        requests.close();
        calls.close();
    }

    @Override
    public void handled(Request request, Response answer) {
        try {
            MessageCall call = MessageCall.of(request, answer, clock.instant());
            if (call != null) {
                calls.add(call);
            }
        } catch (RuntimeException lost) { // as below
            LOG.error("call not kept for the trace: request_id={}", request.id(), lost);
        }
        String template = request.route().template();
        AuditRoute audited = AuditRoute.of(request.route().method(), template);
        if (audited == null || answer.status() >= 300) {
            return;
        }
        Caller caller = request.caller();
        try {
            AuditEntry entry = entry(request, answer, audited);
            database.<Integer>write(caller.organization(), tx -> {
                AuditSql.insert(tx, View.of(caller.organization()), entry);
                return 0;
            });
        } catch (RuntimeException lost) { // the change is made, and answered as such
            LOG.error(
                    "audit entry not written: action={} request_id={}",
                    audited.action().wireName(),
                    request.id(),
                    lost);
        }
    }

    private AuditEntry entry(Request request, Response answer, AuditRoute audited) {
        Caller caller = request.caller();
        Instant now = clock.instant();
        boolean isOperator = caller.credential() instanceof Caller.Credential.Operator;
        return new AuditEntry(
                Uuid7.at(now.toEpochMilli()),
                now,
                caller.apiKeyId() != null ? "api_key" : isOperator ? "operator" : "user",
                isOperator ? null : caller.credential().id(),
                null,
                audited.action().wireName(),
                target(request, answer, audited),
                details(request),
                request.remoteAddress(),
                request.id());
    }

    private static @Nullable String target(Request request, Response answer, AuditRoute audited) {
        String member = audited.target();
        if (member == null) {
            return null;
        }
        if (audited.isInPath(request.route().template())) {
            return request.path(member);
        }
        return AnswerMembers.text(answer, member);
    }

    /** The names of the members that were given, and what they say where that is a word of the interface. */
    private static @Nullable String details(Request request) {
        boolean ofList = request.route().template().contains("/{direction}/{type}");
        JsonObject details = ofList
                ? JsonObject.of("list", request.path("direction") + "/" + request.path("type"))
                : new JsonObject();
        if (!request.route().method().equals("DELETE")) {
            return Json.text(withMembers(details, request.body()));
        }
        return ofList ? Json.text(details) : null;
    }

    private static JsonObject withMembers(JsonObject details, JsonBody body) {
        details.with("members", List.copyOf(body.names()));
        for (String word : WORDS) {
            if (body.any(word) instanceof String value) {
                details.with(word, value);
            }
        }
        JsonBody permissions = body.object("permissions");
        if (permissions != null) {
            details.with("permissions", List.copyOf(permissions.names()));
        }
        return details;
    }

    /**
     * Adds what the operator did, in the transaction of the change.
     *
     * @param target the public id of what was changed; null for the organization
     */
    public static void addOperator(Tx tx, UUID organization, AuditAction action, @Nullable String target) {
        Instant now = tx.next().at();
        AuditSql.insert(
                tx,
                View.of(organization),
                new AuditEntry(
                        Uuid7.at(now.toEpochMilli()),
                        now,
                        "operator",
                        null,
                        null,
                        action.wireName(),
                        target,
                        null,
                        null,
                        null));
    }

    @Override
    public void answered(AnsweredRequest request) {
        UUID key = request.caller().apiKeyId();
        if (key != null) {
            requests.add(new KeyRequest(
                    request.caller().organization(),
                    key,
                    request.id(),
                    clock.instant(),
                    request.route().method(),
                    request.route().template(),
                    request.status(),
                    request.code(),
                    (int) Math.min(Integer.MAX_VALUE, request.millis()),
                    request.address()));
        }
    }
}
