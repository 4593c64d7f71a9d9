package dev.inboxd.observe.audit;

import dev.inboxd.base.database.Database;
import dev.inboxd.base.database.Tx;
import dev.inboxd.base.http.Request;
import dev.inboxd.base.http.RequestObserver;
import dev.inboxd.base.http.Response;
import dev.inboxd.tenant.inbox.Inbox;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
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

    private final Database database;
    private final InstantSource clock;
    private final RequestBuffer<KeyRequest> requests;
    private final RequestBuffer<MessageCall> calls;
    private final RecentReads reads = new RecentReads();

    /** The log of a database. */
    public AuditLog(Database database, InstantSource clock) {
        this.database = database;
        this.clock = clock;
        this.requests = new RequestBuffer<>(database, ROOM, AuditSql.INSERT_REQUESTS, KeyRequest::organization);
        this.calls = new RequestBuffer<>(database, ROOM, AuditSql.INSERT_CALLS, MessageCall::organization)
                .onLoss(reads::lost);
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
            if (call != null && (!call.isRead() || reads.isNew(call))) {
                calls.add(call);
            }
        } catch (RuntimeException lost) { // as below
            LOG.error("call not kept for the trace: request_id={}", request.id(), lost);
        }
        AuditRoute audited =
                AuditRoute.of(request.route().method(), request.route().template());
        AuditAction action =
                audited == null ? null : audited.action(request.change().effect());
        boolean isDone = answer.status() < 300 && !(answer.body() instanceof Response.Body.Deferred);
        if (audited == null || action == null || !isDone) {
            return;
        }
        try {
            boolean isCounted = audited.kind() == AuditRoute.Kind.COUNTED;
            AuditEntry entry = AuditEntry.of(
                    clock.instant(),
                    AuditActor.of(request.caller(), AuditSource.of(request)),
                    new AuditChange(
                            action,
                            target(request, answer, audited),
                            isCounted ? Map.of() : AuditDetails.of(action, request, answer)));
            write(request.caller().organization(), entry, isCounted);
        } catch (RuntimeException lost) { // the change is made, and answered as such
            LOG.error("audit entry not written: action={} request_id={}", action.wireName(), request.id(), lost);
        }
    }

    /** Takes no number of the clock: nothing of it is work for later. */
    private void write(UUID organization, AuditEntry entry, boolean isCounted) {
        database.<Integer>write(organization, 0, (tx, opening) -> {
            opening.run();
            if (isCounted) {
                AuditBook.addCounted(tx, organization, entry);
            } else {
                AuditBook.add(tx, organization, entry);
            }
            return 0;
        });
    }

    /** The public id of what was changed; the path may have another name of it, which somebody chose. */
    private static @Nullable String target(Request request, Response answer, AuditRoute audited) {
        String said = request.change().target();
        String member = audited.target();
        if (said != null || member == null) {
            return said;
        }
        Inbox inbox = request.resolved(Inbox.class);
        if (member.equals("inbox_id") && inbox != null) {
            return inbox.address();
        }
        UUID pod = request.view().pod();
        if (member.equals("pod_id") && pod != null) {
            return pod.toString();
        }
        String answered = AnswerMembers.text(answer, member);
        return answered == null && audited.isInPath(request.route().template()) ? request.path(member) : answered;
    }

    /**
     * Adds an entry, in the transaction of the change.
     *
     * @param organization whose log it is
     */
    public static void add(Tx tx, UUID organization, AuditActor actor, AuditChange change) {
        at(tx.next().at()).add(tx, organization, actor, change);
    }

    /** For a transaction that takes no number of the organization's clock: entries of that time. */
    public static Moment at(Instant now) {
        return new Moment(now);
    }

    /** A time of entries. */
    public record Moment(Instant now) {
        /** Adds an entry, in the transaction of the change. */
        public void add(Tx tx, UUID organization, AuditActor actor, AuditChange change) {
            AuditBook.add(tx, organization, AuditEntry.of(now, actor, change));
        }
    }

    /**
     * Adds what the operator did, in the transaction of the change.
     *
     * @param target the public id of what was changed; null for the organization
     */
    public static void addOperator(Tx tx, UUID organization, AuditAction action, @Nullable String target) {
        add(tx, organization, AuditActor.OPERATOR, AuditChange.of(action, target));
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
