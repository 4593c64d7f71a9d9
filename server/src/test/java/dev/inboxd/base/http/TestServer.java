package dev.inboxd.base.http;

import dev.inboxd.base.access.Access;
import dev.inboxd.base.access.Caller;
import dev.inboxd.base.access.Permission;
import dev.inboxd.base.access.Scope;
import dev.inboxd.base.database.View;
import dev.inboxd.base.error.ErrorCode;
import dev.inboxd.base.error.Problem;
import dev.inboxd.base.log.Metrics;
import dev.inboxd.base.page.PageSeal;
import dev.inboxd.base.rate.RequestLimits;
import dev.inboxd.base.tls.ServerTls;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A server over routes of the test's own, with a key per scope and a clock that can be set. */
final class TestServer implements AutoCloseable {
    static final UUID ORGANIZATION = new UUID(1, 1);
    static final UUID OTHER = new UUID(2, 2);
    static final UUID POD = new UUID(3, 3);
    static final UUID INBOX = new UUID(4, 4);

    final AtomicReference<Instant> now = new AtomicReference<>(Instant.parse("2026-01-01T00:00:00Z"));
    final Metrics metrics = new Metrics();
    final RouteTable table = new RouteTable();
    private final HttpServer server;

    TestServer(Consumer<RouteTable> routes) {
        this(routes, ConnectionLimits.Limits.USUAL);
    }

    TestServer(Consumer<RouteTable> routes, ConnectionLimits.Limits limits) {
        this(routes, limits, HttpSettings.Clients.ANY);
    }

    TestServer(Consumer<RouteTable> routes, ConnectionLimits.Limits limits, HttpSettings.Clients clients) {
        this(routes, limits, clients, null);
    }

    TestServer(
            Consumer<RouteTable> routes,
            ConnectionLimits.Limits limits,
            HttpSettings.Clients clients,
            @Nullable ServerTls tls) {
        routes.accept(table);
        PageSeal seal = new PageSeal(List.of(new byte[32]), now::get);
        HttpSettings settings = new HttpSettings(
                new HttpSettings.ListenAddress("127.0.0.1", 0, null),
                "http://docs.test",
                Duration.ofSeconds(5),
                limits.silence(),
                clients,
                tls);
        try {
            server = HttpServer.start(
                    settings,
                    new RequestPipeline(
                            table,
                            new RequestGuards(this::caller, this::narrow, seal, RequestLimits.FREE),
                            new ErrorRenderer(settings.docsUrl()),
                            metrics),
                    limits);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    HttpProbe as(@Nullable String key) {
        return HttpProbe.of(server.port(), key);
    }

    int port() {
        return server.port();
    }

    private Caller caller(String key, Access access) {
        Set<Permission> all = EnumSet.allOf(Permission.class);
        View whole = View.of(ORGANIZATION);
        return switch (key) {
            case "organization" -> new Caller(key(1), Scope.ORGANIZATION, whole, null, all, true, false, false, false);
            case "agent" -> new Caller(key(5), Scope.ORGANIZATION, whole, null, all, true, true, false, false);
            case "other" ->
                new Caller(key(2), Scope.ORGANIZATION, View.of(OTHER), null, all, true, false, false, false);
            case "inbox" ->
                new Caller(key(3), Scope.INBOX, whole.inbox(INBOX), "a@b.c", all, true, false, false, false);
            case "bare" -> new Caller(key(4), Scope.ORGANIZATION, whole, null, Set.of(), false, false, false, false);
            default -> throw Problem.of(ErrorCode.UNKNOWN_API_KEY, "No such key");
        };
    }

    private static Caller.Credential key(int number) {
        return new Caller.Credential.Key(new UUID(9, number));
    }

    private ScopeResolver.ResolvedScope narrow(Caller caller, Level level, String id) {
        if (level == Level.INBOX && id.equals("a@b.c")) {
            return new ScopeResolver.ResolvedScope(caller.view().inbox(INBOX), id);
        }
        if (level == Level.POD && id.equals(POD.toString())) {
            return new ScopeResolver.ResolvedScope(caller.view().pod(POD), null);
        }
        throw Problem.notFound(level == Level.POD ? "Pod" : "Inbox");
    }

    @Override
    public void close() {
        server.close();
    }
}
