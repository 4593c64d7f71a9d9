package dev.inboxd.cli.mail;

import dev.inboxd.base.json.Json;
import dev.inboxd.base.json.JsonTree;
import dev.inboxd.notify.webhook.DeliveryId;
import dev.inboxd.notify.webhook.WebhookSignature;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

/**
 * {@code inboxd mail listen}: events as deliveries of a webhook, to an endpoint that only this machine reaches.
 * They are read from the log and signed here, with a secret that is the endpoint's alone; the server keeps nothing
 * of it, so nothing is left behind however this ends.
 */
final class EventRelay {
    private static final String FORWARD_TO = "--forward-to";
    private static final String SECRET = "--secret";
    private static final int ATTEMPTS = 3;
    private static final Duration LIMIT = Duration.ofSeconds(15);
    private static final UUID OWNER = new UUID(0, 0);

    private final Terminal terminal;
    private final URI endpoint;
    private final WebhookSignature signature;
    private final HttpClient http = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(LIMIT)
            .build();

    private EventRelay(Terminal terminal, URI endpoint, String secret) {
        this.terminal = terminal;
        this.endpoint = endpoint;
        try {
            this.signature = new WebhookSignature(secret);
        } catch (IllegalArgumentException | StringIndexOutOfBoundsException unfit) {
            throw CommandFailure.usage(SECRET + " must be whsec_ and the base64 of 24 bytes");
        }
    }

    static MailVerb verb() {
        List<OptionSpec> options = new ArrayList<>(List.of(
                OperationCommand.text(FORWARD_TO, "<url>", "Where events are posted, signed as those of a webhook."),
                OperationCommand.text(
                        SECRET,
                        "<secret>",
                        "Signs them: whsec_ and base64; a new one is made and printed otherwise.")));
        options.addAll(EventFollower.options());
        return new MailVerb("listen", "Posts events to an endpoint on this machine.", options, EventRelay::run);
    }

    private static void run(Terminal terminal, ParseResult flags) {
        URI endpoint = endpoint(MailVerb.required(flags, FORWARD_TO));
        String own = MailVerb.value(flags, SECRET);
        String secret = own == null ? WebhookSignature.newSecret() : own;
        EventRelay relay = new EventRelay(terminal, endpoint, secret);
        Runnable ready = () -> {
            if (own == null) {
                terminal.line("Secret: " + secret);
            }
            terminal.err().println("Posting to " + endpoint + "; end with Ctrl-C.");
        };
        new EventFollower(terminal, flags).run(ready, relay::post);
    }

    private static URI endpoint(String url) {
        try {
            URI uri = URI.create(url);
            if (uri.getHost() != null && ("http".equals(uri.getScheme()) || "https".equals(uri.getScheme()))) {
                return uri;
            }
        } catch (IllegalArgumentException notUri) {
            // refused below
        }
        throw CommandFailure.usage(FORWARD_TO + " must be like http://localhost:3000/hook");
    }

    /** Posts an event, a few times when the endpoint does not take it; then the next one is due. */
    private void post(JsonTree event) {
        String id = DeliveryId.of(event.text("event_id"), OWNER);
        byte[] body = Json.write(event.value());
        for (int attempt = 1; attempt <= ATTEMPTS; attempt++) {
            int status = attempt(id, body);
            terminal.line((status == 0 ? "---" : status) + "  " + EventTail.line(event));
            if (status >= 200 && status < 300) {
                return;
            }
            if (attempt < ATTEMPTS) {
                EventFollower.pause(Duration.ofSeconds(attempt));
            }
        }
        terminal.err().println("not taken: " + event.text("event_id"));
    }

    /** The status of an attempt; 0 when there was no answer. */
    private int attempt(String id, byte[] body) {
        String second = String.valueOf(InstantSource.system().instant().getEpochSecond());
        String signed = signature.of(id, Long.parseLong(second), body);
        HttpRequest.Builder request = HttpRequest.newBuilder(endpoint)
                .timeout(LIMIT)
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofByteArray(body));
        for (String prefix : List.of("svix-", "webhook-")) {
            Map.of("id", id, "timestamp", second, "signature", signed)
                    .forEach((name, value) -> request.header(prefix + name, value));
        }
        try {
            return http.send(request.build(), HttpResponse.BodyHandlers.discarding())
                    .statusCode();
        } catch (IOException refused) {
            return 0;
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
            throw new CommandFailure(CommandFailure.SERVER, "interrupted");
        }
    }
}
