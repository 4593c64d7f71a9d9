package dev.inboxd.account.oauth;

import dev.inboxd.base.error.Problem;
import dev.inboxd.base.json.Json;
import dev.inboxd.net.FetchRequest;
import dev.inboxd.net.HttpOutcome;
import dev.inboxd.net.SafeHttp;
import dev.inboxd.net.Target;
import dev.inboxd.net.TargetCheck;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Clients whose client_id is the address of a document about them. It is fetched as every URL of a stranger is, only
 * for somebody who has signed in, and kept for five minutes.
 */
final class ClientDocuments {
    private static final Duration DEADLINE = Duration.ofSeconds(5);
    private static final Duration CACHE_TIME = Duration.ofMinutes(5);
    private static final int LARGEST = 32 * 1024;
    private static final int LONGEST_URL = 500;
    private static final int MOST_KEPT = 200;

    private final SafeHttp http;
    private final InstantSource clock;
    private final String scheme;
    private final Map<String, CachedClient> cache = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, CachedClient> eldest) {
            return size() > MOST_KEPT;
        }
    };

    private record CachedClient(OAuthClient client, Instant until) {}

    ClientDocuments(SafeHttp http, InstantSource clock) {
        this(http, clock, "https");
    }

    ClientDocuments(SafeHttp http, InstantSource clock, String scheme) {
        this.http = http;
        this.clock = clock;
        this.scheme = scheme;
    }

    /**
     * The client of a document.
     *
     * @throws Problem {@code validation_error} when the address is none, or does not lead to a document about itself
     */
    OAuthClient client(String url) {
        synchronized (cache) {
            CachedClient before = cache.get(url);
            if (before != null && before.until.isAfter(clock.instant())) {
                return before.client;
            }
        }
        OAuthClient client = fetched(url);
        synchronized (cache) {
            cache.put(url, new CachedClient(client, clock.instant().plus(CACHE_TIME)));
        }
        return client;
    }

    private OAuthClient fetched(String url) {
        // In normal form: two spellings of one address would be two clients, or one client with two hosts.
        if (url.length() > LONGEST_URL
                || !url.startsWith(scheme + "://")
                || !(http.check(url) instanceof TargetCheck.Valid(Target target))
                || !target.toString().equals(url)
                || url.indexOf('/', scheme.length() + 3) < 0
                || url.endsWith("/")) {
            throw refused("client_id is neither of this server nor a public https address with a path");
        }
        ByteArrayOutputStream content = new ByteArrayOutputStream();
        HttpOutcome outcome;
        try {
            outcome = http.fetch(new FetchRequest(target, DEADLINE, LARGEST), content);
        } catch (IOException inMemory) {
            throw new UncheckedIOException(inMemory);
        }
        if (!(outcome instanceof HttpOutcome.Response answer)
                || !answer.successful()
                || answer.truncated()
                || !isJson(answer.fields().mediaType())) {
            throw refused("client_id does not lead to a JSON document of at most 32 KiB");
        }
        return read(url, target.host().text(), content.toByteArray());
    }

    private static boolean isJson(@Nullable String mediaType) {
        return mediaType != null && mediaType.toLowerCase(Locale.ROOT).contains("json");
    }

    private static OAuthClient read(String url, String host, byte[] content) {
        Map<?, ?> members;
        try {
            members = Json.parse(content) instanceof Map<?, ?> map ? map : Map.of();
        } catch (Problem noJson) {
            members = Map.of();
        }
        Object method = members.get("token_endpoint_auth_method");
        if (!url.equals(members.get("client_id")) || (method != null && !method.equals("none"))) {
            throw refused("The document at client_id must name itself as client_id, and no way to authenticate");
        }
        List<RedirectUri> uris = OAuthClients.uris(members.get("redirect_uris"));
        if (uris.isEmpty()) {
            throw refused("The document at client_id has no redirect_uris, more than 10, or one that is refused here");
        }
        return new OAuthClient(url, OAuthClient.shown(members.get("client_name")), host, uris);
    }

    private static Problem refused(String message) {
        return Problem.invalid("client_id", message);
    }
}
