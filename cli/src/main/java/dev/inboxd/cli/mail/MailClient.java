package dev.inboxd.cli.mail;

import dev.inboxd.cli.ServerAddress;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A server and the key with which it is called. */
final class MailClient {
    /** The variable that names the server. */
    static final String URL = "INBOXD_URL";
    /** The variable with the API key. */
    static final String KEY = "INBOXD_KEY";

    private static final String USUAL = "http://127.0.0.1:8080";
    private static final Duration CONNECT = Duration.ofSeconds(10);
    /** A wait takes up to 300 seconds. */
    private static final Duration LONGEST = Duration.ofSeconds(330);

    private final String server;
    private final String key;
    private @Nullable HttpClient http;

    /**
     * The server that the environment names.
     *
     * @throws CommandFailure when the address is none
     */
    MailClient(Map<String, String> environment) {
        String url = environment.getOrDefault(URL, "").strip();
        String base = url.isEmpty() ? USUAL : url;
        while (base.endsWith("/")) {
            base = base.substring(0, base.length() - 1);
        }
        this.server = base;
        this.key = environment.getOrDefault(KEY, "").strip();
        if (!isAddress(base)) {
            throw CommandFailure.usage(URL + " must be like https://mail.example");
        }
        String fault = ServerAddress.fault(URI.create(base), environment);
        if (fault != null) {
            throw CommandFailure.usage(fault);
        }
    }

    private static boolean isAddress(String base) {
        try {
            URI uri = URI.create(base);
            boolean isHttp = "https".equals(uri.getScheme()) || "http".equals(uri.getScheme());
            return isHttp && uri.getHost() != null && uri.getUserInfo() == null && uri.getQuery() == null;
        } catch (IllegalArgumentException notUri) {
            return false;
        }
    }

    /** Its address, without a slash at the end. */
    String server() {
        return server;
    }

    /**
     * Makes a call, and answers with what comes, also when it is refused.
     *
     * @throws CommandFailure without a key where one is needed, or when the server cannot be reached
     */
    ServerAnswer send(OperationCall call) {
        if (key.isEmpty() && !call.isOpen()) {
            throw CommandFailure.usage("set " + KEY + " to an API key of " + server);
        }
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(server + call.path()))
                .timeout(LONGEST)
                .header("Accept", "application/json, */*;q=0.5");
        if (!call.isOpen()) {
            request.header("Authorization", "Bearer " + key);
        }
        String body = call.body();
        if (body != null) {
            request.header("Content-Type", call.media());
        }
        try {
            call.headers().forEach(request::header);
            request.method(
                    call.method(),
                    body == null ? HttpRequest.BodyPublishers.noBody() : HttpRequest.BodyPublishers.ofString(body));
            return send(request.build());
        } catch (IllegalArgumentException unfit) {
            throw CommandFailure.usage("a value does not fit into a header field: it must be on one line, in ASCII");
        }
    }

    private ServerAnswer send(HttpRequest request) {
        if (http == null) {
            http = HttpClient.newBuilder()
                    .version(HttpClient.Version.HTTP_1_1)
                    .connectTimeout(CONNECT)
                    .build();
        }
        try {
            HttpResponse<byte[]> answer = http.send(request, HttpResponse.BodyHandlers.ofByteArray());
            return new ServerAnswer(
                    answer.statusCode(),
                    answer.headers().firstValue("Content-Type").orElse(""),
                    again(answer.headers().firstValue("Retry-After").orElse("")),
                    answer.headers().firstValue("Location").orElse(null),
                    answer.body());
        } catch (IOException failed) {
            throw new CommandFailure(
                    CommandFailure.SERVER, "the server at " + server + " cannot be reached; " + URL + " names it");
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
            throw new CommandFailure(CommandFailure.SERVER, "interrupted");
        }
    }

    private static Duration again(String seconds) {
        boolean isShort = !seconds.isEmpty() && seconds.length() < 4;
        return Duration.ofSeconds(
                isShort && seconds.chars().allMatch(c -> c >= '0' && c <= '9') ? Long.parseLong(seconds) : 2);
    }
}
