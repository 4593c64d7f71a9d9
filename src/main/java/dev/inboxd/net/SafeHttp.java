package dev.inboxd.net;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.eclipse.jetty.client.BytesRequestContent;
import org.eclipse.jetty.client.Connection;
import org.eclipse.jetty.client.HttpClient;
import org.eclipse.jetty.client.InputStreamResponseListener;
import org.eclipse.jetty.client.Request;
import org.eclipse.jetty.client.Response;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpMethod;

/**
 * The only outgoing HTTP of inboxd: webhooks, attachments given by URL, and whatever else goes where a user points.
 *
 * <p>A name is resolved once per connection, refused when any answer is forbidden, and the connection goes to that very
 * address while SNI, the certificate check and the Host field keep the name. No redirects, proxies, cookies,
 * authentication or content codings. Every exchange has a deadline and every response a limit. Connections are kept
 * and bounded per destination and lane, so an endpoint that hangs delays only itself.
 *
 * <p>Blocking; call from virtual threads. Thread-safe. Close it last.
 */
public final class SafeHttp implements AutoCloseable {
    /** Octets of a response to a post that are read; what an endpoint says beyond its status interests nobody. */
    public static final int POST_RESPONSE_LIMIT = 100 * 1024;

    /** How long after the deadline we stop trusting the client to keep it. */
    private static final Duration GRACE = Duration.ofMillis(200);

    private static final HttpOutcome NOWHERE = new HttpOutcome.NoResponse(
            HttpOutcome.Failure.DNS, "There is no top-level domain that begins with a digit.");

    private final TargetRules rules;
    private final HttpClient client;
    private final VettedAddresses addresses;

    /**
     * Starts the client.
     *
     * @param rules what may be reached
     * @param dns asked once for every new connection
     * @param userAgent product and version to send (RFC 9110 §10.1.5)
     */
    public SafeHttp(TargetRules rules, Dns dns, String userAgent) {
        this(rules, HttpClients.start(rules.addresses(), dns, userAgent, null));
    }

    SafeHttp(TargetRules rules, HttpClient client) {
        this.rules = rules;
        this.client = client;
        this.addresses = (VettedAddresses) client.getSocketAddressResolver();
    }

    /** Whether a URL may be used at all; no network access. Call when the URL is given and again before each use. */
    public TargetCheck check(String url) {
        return Target.check(url, rules);
    }

    /**
     * Whether something may be downloaded from a URL; no network access. Unlike {@link #check} this takes plain
     * {@code http} everywhere: a download carries no secret of ours. A fragment is dropped (RFC 9110 §7.1: it is never
     * sent).
     */
    public TargetCheck checkDownload(String url) {
        int fragment = url.indexOf('#');
        return Target.check(fragment < 0 ? url : url.substring(0, fragment), rules.withPlainHttp());
    }

    /**
     * The addresses that a connection to a target would be tried at; a post with this answer in its {@link PostRequest.ConnectionGroup} is
     * tried at no others. Whether they may be reached is decided when it is made. May ask the DNS, and block for it.
     */
    public DnsAnswer<InetAddress> lookUp(Target target) {
        return addresses.lookUp(target.host());
    }

    /** Posts and waits for the whole response, of which only the status and size are kept. */
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
     * @return the answer, {@code cut} when there was more than that or the status was not 2xx
     * @throws IOException only when {@code content} cannot be written
     */
    public HttpOutcome post(PostRequest post, long maxBytes, OutputStream content) throws IOException {
        return isNowhere(post.target()) ? NOWHERE : exchange(posting(post), post.deadline(), maxBytes, content);
    }

    /** No top-level domain begins with a digit (RFC 3696 §2), and Java's URI sees no host in a name that ends so. */
    private static boolean isNowhere(Target target) {
        return target.uri().getHost() == null;
    }

    private Request posting(PostRequest post) {
        Request request = request(HttpMethod.POST, post.target(), post.deadline())
                .tag(post.group())
                .body(new BytesRequestContent(post.content()));
        return request.headers(headers -> {
            for (RequestHeader field : post.fields()) {
                headers.put(field.name(), field.value());
            }
        });
    }

    /**
     * Downloads, writing the content of a 2xx response to {@code content} as it arrives, on the calling thread.
     *
     * @return the answer, {@code cut} when there was more than the fetch allows or the status was not 2xx
     * @throws IOException only when {@code content} cannot be written
     */
    public HttpOutcome fetch(FetchRequest fetch, OutputStream content) throws IOException {
        return isNowhere(fetch.target())
                ? NOWHERE
                : exchange(
                        request(HttpMethod.GET, fetch.target(), fetch.deadline()),
                        fetch.deadline(),
                        fetch.maxBytes(),
                        content);
    }

    private static HttpOutcome exchange(Request request, Duration deadline, long maxBytes, OutputStream content)
            throws IOException {
        InputStreamResponseListener listener = new InputStreamResponseListener();
        request.send(listener);
        try (InputStream in = listener.getInputStream()) {
            Response response = listener.get(deadline.plus(GRACE).toMillis(), TimeUnit.MILLISECONDS);
            HttpOutcome outcome = copy(response, in, maxBytes, content);
            if (!(outcome instanceof HttpOutcome.Response answered) || answered.truncated()) {
                hangUp(request, new IOException("the rest is not wanted"));
            }
            return outcome;
        } catch (ExecutionException | TimeoutException e) {
            hangUp(request, e);
            return HttpFailures.of(e);
        } catch (InterruptedException e) {
            return cancelled(request, e);
        }
    }

    /** Closes every connection; exchanges under way fail. */
    @Override
    public void close() {
        try {
            client.stop();
        } catch (Exception e) {
            throw new IllegalStateException("outgoing HTTP did not stop", e);
        }
    }

    private Request request(HttpMethod method, Target target, Duration deadline) {
        return client.newRequest(target.uri())
                .method(method)
                .timeout(deadline.toMillis(), TimeUnit.MILLISECONDS)
                // The client's idle timeout is for connections nobody uses; an endpoint may think until the deadline.
                .idleTimeout(deadline.toMillis(), TimeUnit.MILLISECONDS);
    }

    private static HttpOutcome copy(Response response, InputStream in, long maxBytes, OutputStream content)
            throws IOException {
        int status = response.getStatus();
        String mediaType = response.getHeaders().get(HttpHeader.CONTENT_TYPE);
        long announced = response.getHeaders().getLongField(HttpHeader.CONTENT_LENGTH);
        if (status < 200 || status > 299 || announced > maxBytes) {
            return new HttpOutcome.Response(
                    status, mediaType, 0, true, response.getHeaders().get(HttpHeader.LOCATION));
        }
        byte[] buffer = new byte[16 * 1024];
        long bytes = 0;
        while (true) {
            int count;
            try {
                count = in.read(buffer);
            } catch (IOException e) {
                return HttpFailures.of(e);
            }
            if (count < 0) {
                return new HttpOutcome.Response(status, mediaType, bytes, false);
            }
            int wanted = (int) Math.min(count, maxBytes - bytes);
            content.write(buffer, 0, wanted);
            bytes += wanted;
            if (wanted < count) {
                return new HttpOutcome.Response(status, mediaType, bytes, true);
            }
        }
    }

    private static HttpOutcome await(Request request, CompletableFuture<HttpOutcome> outcome, Duration deadline) {
        try {
            return outcome.get(deadline.plus(GRACE).toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            hangUp(request, e);
            return HttpFailures.of(e);
        } catch (InterruptedException e) {
            return cancelled(request, e);
        } catch (ExecutionException e) {
            throw new IllegalStateException(e); // the future is only ever completed with a value
        }
    }

    private static HttpOutcome cancelled(Request request, InterruptedException interruption) {
        hangUp(request, interruption);
        Thread.currentThread().interrupt();
        return new HttpOutcome.NoResponse(HttpOutcome.Failure.CANCELLED, "The exchange was called off.");
    }

    /** Ends the exchange and its connection; an abort alone gets lost between two interim responses. */
    private static void hangUp(Request request, Throwable cause) {
        var _ = request.abort(cause);
        Connection connection = request.getConnection();
        if (connection != null) {
            connection.close();
        }
    }
}
