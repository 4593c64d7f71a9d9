package dev.inboxd.notify.webhook.polling;

import dev.inboxd.base.access.Gate;
import dev.inboxd.base.access.Permission;
import dev.inboxd.base.error.ErrorCode;
import dev.inboxd.base.error.Problem;
import dev.inboxd.base.http.Handler;
import dev.inboxd.base.http.Request;
import dev.inboxd.base.http.Response;
import dev.inboxd.base.http.Routes;
import dev.inboxd.base.json.ClientIds;
import dev.inboxd.base.json.JsonBody;
import dev.inboxd.base.json.JsonObject;
import dev.inboxd.base.json.RawJson;
import dev.inboxd.base.page.PageLimit;
import dev.inboxd.base.page.PageRequest;
import dev.inboxd.notify.webhook.NewWebhook;
import dev.inboxd.notify.webhook.Subscription;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * HTTP routes of polling webhooks: their management with an API key, and the three routes that the published consumer
 * of Svix calls with the webhook's token (events.md §6).
 */
public final class PollingHttp {
    private static final String QUEUE = "/api/v1/app/{app_id}/polling-endpoint/{webhook_id}/consumer/{consumer_id}";
    private static final int USUAL_NUMBER = 50;
    private static final int MOST_AT_ONCE = 250;
    private static final Duration USUAL_LEASE = Duration.ofSeconds(30);
    private static final Duration LONGEST_LEASE = Duration.ofMinutes(10);

    private final PollingWebhooks webhooks;
    private final PollingQueue polling;
    private final URI publicUrl;

    public PollingHttp(PollingWebhooks webhooks, PollingQueue polling, URI publicUrl) {
        this.webhooks = webhooks;
        this.polling = polling;
        this.publicUrl = publicUrl;
    }

    /** Mounts the management routes; the level's view is the owner. */
    public void mount(Routes level) {
        level.get(Permission.WEBHOOK_READ, "/webhooks/polling", this::list);
        level.post(Permission.WEBHOOK_CREATE, "/webhooks/polling", this::create);
        level.get(Permission.WEBHOOK_READ, "/webhooks/polling/{webhook_id}", this::get);
        level.delete(Permission.WEBHOOK_DELETE, "/webhooks/polling/{webhook_id}", this::delete);
    }

    /** Mounts the fetch routes, which take the token of a polling webhook and no API key. */
    public void mountQueue(Routes root) {
        root.getAlone(Gate.PUBLIC, QUEUE, withErrors(this::receive));
        root.post(Gate.PUBLIC, QUEUE + "/commit", withErrors(this::commit));
        root.put(Gate.PUBLIC, "/api/v1/app/{app_id}/endpoint/{webhook_id}/auto-config", withErrors(this::subscribe));
    }

    private Response list(Request request) {
        PageRequest page = request.page(PageLimit.list(100));
        return Response.ok(page.listing("polling_webhooks", webhooks.list(request.view(), page), PollingWebhook::json));
    }

    private Response create(Request request) {
        JsonBody body = request.body();
        String clientId = ClientIds.read(body);
        if (!body.isGiven("client_id")) {
            body.missing("client_id");
        }
        PollingWebhooks.NewPollingWebhook newWebhook = new PollingWebhooks.NewPollingWebhook(
                Objects.requireNonNullElse(clientId, ""),
                Subscription.polled(body),
                NewWebhook.RequestedTargets.read(body, request.view()));
        body.check();
        PollingWebhooks.IssuedWebhook issued = webhooks.create(request.caller(), request.view(), newWebhook);
        if (!issued.isNew()) {
            request.change().alternative();
        }
        return Response.ok(issued.webhook()
                .json()
                .with(
                        "token",
                        issued.token()
                                .text(
                                        request.view().organization(),
                                        issued.webhook().id(),
                                        publicUrl)));
    }

    private Response get(Request request) {
        return Response.ok(
                webhooks.get(request.view(), request.path("webhook_id")).json());
    }

    private Response delete(Request request) {
        request.change().target(webhooks.delete(request.view(), request.path("webhook_id")));
        return Response.ok();
    }

    private Response receive(Request request) {
        Long most = request.query().integer("limit", 1, Integer.MAX_VALUE);
        Long lease = request.query().integer("lease_duration_ms", 1, Integer.MAX_VALUE);
        String start = request.query().text("starting_position");
        if (start != null && !start.equals("earliest") && !start.equals("latest")) {
            request.query().fault("starting_position", "starting_position must be earliest or latest");
        }
        request.query().check();
        PollingQueue.FetchResult fetched = polling.receive(
                client(request, request.path("consumer_id", PollingHttp::consumer)),
                new PollingQueue.FetchOptions(
                        most == null ? USUAL_NUMBER : (int) Math.min(most, MOST_AT_ONCE),
                        lease == null ? USUAL_LEASE : Duration.ofMillis(Math.min(lease, LONGEST_LEASE.toMillis())),
                        "latest".equals(start)));
        request.reserveText(fetched.events().stream()
                .mapToLong(event -> event.payload().length)
                .sum());
        return Response.ok(JsonObject.of(
                        "data", fetched.events().stream().map(PollingHttp::json).toList())
                .with("done", fetched.done()));
    }

    private Response commit(Request request) {
        Long offset = request.body().integer("offset", 0, Long.MAX_VALUE);
        if (!request.body().has("offset") || request.body().isNull("offset")) {
            request.body().missing("offset");
        }
        request.body().check();
        polling.commit(
                client(request, request.path("consumer_id", PollingHttp::consumer)),
                Objects.requireNonNullElse(offset, 0L));
        return Response.ok().status(204);
    }

    /** The consumer may send the event types it wants. They are ignored: the subscription is set through the API. */
    private Response subscribe(Request request) {
        PollingSql.Queue queue = polling.queue(client(request, ""));
        return Response.ok(JsonObject.of("id", request.path("webhook_id"))
                .with("url", "")
                .with("description", "")
                .with("version", 1)
                .with("metadata", Map.of())
                .with("disabled", false)
                .with("createdAt", queue.createdAt())
                .with("updatedAt", queue.updatedAt()));
    }

    private static JsonObject json(PollingQueue.QueuedEvent event) {
        return JsonObject.of("offset", event.position())
                .with("id", event.id())
                .with("eventType", event.type())
                .with("payload", new RawJson(new String(event.payload(), StandardCharsets.UTF_8)))
                .with("timestamp", event.at())
                .with("eventId", event.eventId());
    }

    private static PollingQueue.Client client(Request request, String consumer) {
        return new PollingQueue.Client(
                request.path("app_id"),
                request.path("webhook_id"),
                consumer,
                token(request.header("Authorization")),
                request.remoteAddress());
    }

    private static @Nullable String token(@Nullable String header) {
        return header != null && header.startsWith("Bearer ") ? header.substring("Bearer ".length()) : null;
    }

    private static String consumer(String id) {
        if (!ClientIds.isValid(id)) {
            throw Problem.of(ErrorCode.UNPROCESSABLE, "A consumer id has 1 to 256 letters, digits and - . _ ~");
        }
        return id;
    }

    /** Answers errors in the form that the consumer expects: a code and a detail. */
    private static Handler withErrors(Handler handler) {
        return request -> {
            try {
                return handler.handle(request);
            } catch (Problem problem) {
                int status = problem.code() == ErrorCode.VALIDATION_ERROR
                        ? 422
                        : problem.code().status();
                Response response = Response.of(
                        status,
                        JsonObject.of(
                                        "code",
                                        problem.code() == ErrorCode.CONFLICT
                                                ? "lease_held"
                                                : problem.code().wireName())
                                .with("detail", problem.message()));
                Object wait = problem.details().get(Problem.RETRY_AFTER);
                response = wait == null ? response : response.header(Problem.RETRY_AFTER, wait.toString());
                return status == 401 ? response.header("WWW-Authenticate", "Bearer realm=\"inboxd\"") : response;
            }
        };
    }
}
