package dev.inboxd.net;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.eclipse.jetty.client.BytesRequestContent;
import org.eclipse.jetty.client.Connection;
import org.eclipse.jetty.client.HttpClient;
import org.eclipse.jetty.client.InputStreamResponseListener;
import org.eclipse.jetty.client.Request;
import org.eclipse.jetty.client.Response;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpMethod;
import org.eclipse.jetty.io.EndPoint;

/**
 * The only outgoing HTTP of inboxd: webhooks, attachments given by URL, and every other request to a URL of a user.
 *
 * <p>A name is resolved once per connection and refused when any of its addresses is forbidden. The connection goes to
 * the very address that was checked, while SNI, the certificate check and the Host field keep the name. No redirects,
 * proxies, cookies, authentication or content codings. Every exchange has a deadline and every response a limit.
 * Connections are pooled and bounded per destination and connection group, so an endpoint that hangs delays only its
 * own group.
 *
 * <p>Blocking; call from virtual threads. Thread-safe. Close it last.
 */
public final class SafeHttp implements AutoCloseable {
    /** Octets of a response to a post that are read; only its status matters. */
    public static final int POST_RESPONSE_LIMIT = 100 * 1024;

    /** How long after the deadline the client may take to report it; then the exchange is ended from outside. */
    private static final Duration GRACE = Duration.ofMillis(200);

    /** What a TLS engine names before its handshake is complete; until then it sends no octet of a request. */
    private static final String NO_CIPHERS = "SSL_NULL_WITH_NULL_NULL";

    private static final HttpOutcome NOWHERE = new HttpOutcome.NoResponse(
            HttpOutcome.Failure.DNS, "There is no top-level domain that begins with a digit.", true);

    private final TargetRules rules;
    private final HttpClient client;
    private final VettedAddresses addresses;

    /**
     * Starts the client.
     *
     * @param rules targets that may be reached
     * @param dns looks up the host for every new connection
     * @param userAgent product and version to send (RFC 9110 §10.1.5)
     */
    public SafeHttp(TargetRules rules, Dns dns, String userAgent) {
        this(rules, HttpClients.start(rules, dns, userAgent, null));
    }

    SafeHttp(TargetRules rules, HttpClient client) {
        this.rules = rules;
        this.client = client;
        this.addresses = (VettedAddresses) client.getSocketAddressResolver();
    }

    /** Checks a URL without network access. Call it when the URL is set and again before each use. */
    public TargetCheck check(String url) {
        return Target.check(url, rules);
    }

    /**
     * Checks the URL of a download without network access. Unlike {@link #check} this accepts plain {@code http}
     * everywhere: a download carries no secret of this server. A fragment is dropped (RFC 9110 §7.1: it is never
     * sent).
     */
    public TargetCheck checkDownload(String url) {
        return Target.checkDownload(url, rules.withPlainHttp());
    }

    /** Checks where the answer to a download redirects it; never from https to http. */
    public TargetCheck checkRedirect(Target from, String location) {
        return from.redirect(location, rules.withPlainHttp());
    }

    /**
     * Looks up the addresses of a target; a post with this answer in its {@link PostRequest.ConnectionGroup} connects
     * to no others. The policy is applied when the connection is made. May query DNS and block for it.
     */
    public DnsAnswer<InetAddress> lookUp(Target target) {
        return addresses.lookUp(target.host());
    }

    /** Posts and waits for the whole response; only its status and size are stored. */
    public HttpOutcome post(PostRequest post) {
        if (isNowhere(post.target())) {
            return NOWHERE;
        }
        Request request = posting(post);
        PostResponse response = new PostResponse(POST_RESPONSE_LIMIT);
        request.send(response);
        return await(request, response.outcome(), post.deadline());
    }

    /**
     * Posts, and writes the content of a 2xx response to {@code content} as it arrives, on the calling thread.
     *
     * @return the response, {@code truncated} when its content was longer than {@code maxBytes} or the status was not
     *     2xx
     * @throws IOException only when {@code content} cannot be written
     */
    public HttpOutcome post(PostRequest post, long maxBytes, OutputStream content) throws IOException {
        return isNowhere(post.target())
                ? NOWHERE
                : exchange(posting(post), post.deadline(), ResponseContent.ContentLimits.successful(maxBytes), content);
    }

    /**
     * The same, for a service whose answer counts whatever its status: the content of any response is written.
     *
     * @throws IOException only when {@code content} cannot be written
     */
    public HttpOutcome ask(PostRequest post, long maxBytes, OutputStream content) throws IOException {
        return isNowhere(post.target())
                ? NOWHERE
                : exchange(posting(post), post.deadline(), new ResponseContent.ContentLimits(maxBytes, true), content);
    }

    /**
     * Whether the host can be no name: no top-level domain begins with a digit (RFC 3696 §2), and Java's URI finds no
     * host in such a name.
     */
    private static boolean isNowhere(Target target) {
        return URI.create(target.url().origin()).getHost() == null;
    }

    private Request posting(PostRequest post) {
        Request request = request(HttpMethod.POST, post.target(), post.deadline())
                .tag(post.group())
                .body(new BytesRequestContent(post.content()));
        return request.headers(headers -> post.fields().forEach(field -> headers.put(field.name(), field.value())));
    }

    /**
     * Downloads, and writes the content of a 2xx response to {@code content} as it arrives, on the calling thread. No
     * content coding is asked for; one that a server applies all the same is undone. A connection that ends before any
     * content came is tried once more.
     *
     * @return the response, {@code truncated} when its content was longer than the fetch allows or the status was not
     *     2xx
     * @throws IOException only when {@code content} cannot be written
     */
    public HttpOutcome fetch(FetchRequest fetch, OutputStream content) throws IOException {
        if (isNowhere(fetch.target())) {
            return NOWHERE;
        }
        long began = System.nanoTime();
        FirstOctet written = new FirstOctet(content);
        HttpOutcome outcome = exchange(
                getting(fetch), fetch.deadline(), ResponseContent.ContentLimits.successful(fetch.maxBytes()), written);
        boolean isReset =
                outcome instanceof HttpOutcome.NoResponse failed && failed.kind() == HttpOutcome.Failure.RESET;
        Duration left = fetch.deadline().minusNanos(System.nanoTime() - began);
        if (!isReset || written.isPast() || !left.isPositive()) {
            return outcome;
        }
        // RFC 9112 §9.3.1: the server may have closed a pooled connection just when it was used again.
        return exchange(
                getting(fetch.within(left)), left, ResponseContent.ContentLimits.successful(fetch.maxBytes()), content);
    }

    private Request getting(FetchRequest fetch) {
        // RFC 9110 §12.5.3: a file is wanted as it is
        return request(HttpMethod.GET, fetch.target(), fetch.deadline())
                .tag(fetch.group())
                .headers(headers -> {
                    headers.put(HttpHeader.ACCEPT_ENCODING, "identity");
                    fetch.fields().forEach(field -> headers.put(field.name(), field.value()));
                });
    }

    /** Content that knows whether any of it was written. */
    private static final class FirstOctet extends FilterOutputStream {
        private boolean past;

        FirstOctet(OutputStream content) {
            super(content);
        }

        @Override
        public void write(byte[] octets, int from, int count) throws IOException {
            past |= count > 0;
            out.write(octets, from, count);
        }

        boolean isPast() {
            return past;
        }
    }

    private static HttpOutcome exchange(
            Request request, Duration deadline, ResponseContent.ContentLimits limits, OutputStream content)
            throws IOException {
        InputStreamResponseListener listener = new InputStreamResponseListener();
        AtomicBoolean begun = new AtomicBoolean();
        request.onRequestBegin(_ -> begun.set(true)).send(listener);
        try (InputStream in = listener.getInputStream()) {
            Response response = listener.get(deadline.plus(GRACE).toMillis(), TimeUnit.MILLISECONDS);
            HttpOutcome outcome = new ResponseContent(response, limits).copy(in, content);
            if (!(outcome instanceof HttpOutcome.Response answered) || answered.truncated()) {
                disconnect(request, new IOException("the response is longer than the limit"));
            }
            return outcome;
        } catch (ExecutionException failed) {
            boolean unsent = isUnsent(request, begun.get());
            disconnect(request, failed);
            HttpOutcome.NoResponse failure = HttpFailures.of(failed);
            return new HttpOutcome.NoResponse(failure.kind(), failure.detail(), unsent);
        } catch (TimeoutException e) {
            disconnect(request, e);
            return HttpFailures.of(e);
        } catch (InterruptedException e) {
            return cancelled(request, e);
        }
    }

    /** Whether a request that failed had no connection yet, or one whose TLS session was not made. */
    private static boolean isUnsent(Request request, boolean begun) {
        Connection connection = request.getConnection();
        if (!begun || connection == null) {
            return !begun;
        }
        EndPoint.SslSessionData tls = connection.getSslSessionData();
        return tls != null && NO_CIPHERS.equals(tls.cipherSuite());
    }

    /** Closes every connection; exchanges in progress fail. */
    @Override
    public void close() {
        try {
            client.stop();
        } catch (Exception e) {
            throw new IllegalStateException("outgoing HTTP did not stop", e);
        }
    }

    private Request request(HttpMethod method, Target target, Duration deadline) {
        return opened(target.url())
                .method(method)
                .timeout(deadline.toMillis(), TimeUnit.MILLISECONDS)
                // The client's idle timeout is for pooled connections; an endpoint may take until the deadline to
                // answer.
                .idleTimeout(deadline.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** A request for exactly that URL, also where it has characters that Java's URI refuses (such as a bar). */
    private Request opened(HttpUrl url) {
        try {
            return client.newRequest(new URI(url.toString()));
        } catch (URISyntaxException wider) {
            String target = url.requestTarget();
            // Two slashes and a bracket would be read as a host.
            String safe = target.startsWith("//[") ? target.replace("[", "%5B").replace("]", "%5D") : target;
            return client.newRequest(URI.create(url.origin())).path(safe);
        }
    }

    private static HttpOutcome await(Request request, CompletableFuture<HttpOutcome> outcome, Duration deadline) {
        try {
            return outcome.get(deadline.plus(GRACE).toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            disconnect(request, e);
            return HttpFailures.of(e);
        } catch (InterruptedException e) {
            return cancelled(request, e);
        } catch (ExecutionException e) {
            throw new IllegalStateException(e); // the future is only ever completed with a value
        }
    }

    private static HttpOutcome cancelled(Request request, InterruptedException interruption) {
        disconnect(request, interruption);
        Thread.currentThread().interrupt();
        return new HttpOutcome.NoResponse(HttpOutcome.Failure.CANCELLED, "The exchange was cancelled.");
    }

    /** Ends the exchange and its connection. An abort alone gets lost between two interim responses. */
    private static void disconnect(Request request, Throwable cause) {
        var _ = request.abort(cause);
        Connection connection = request.getConnection();
        if (connection != null) {
            connection.close();
        }
    }
}
