package dev.inboxd.payment;

import dev.inboxd.base.json.Json;
import dev.inboxd.net.FakeEndpoint;
import dev.inboxd.testing.JsonText;
import java.io.IOException;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * A verifier of MPP for tests, whose payments are all of one account: it settles each challenge once, and what was
 * settled is no good any more.
 */
final class LedgerVerifier implements AutoCloseable {
    private final FakeEndpoint endpoint = FakeEndpoint.start();
    private final String payer;
    private final Set<String> settled = new HashSet<>();
    private final Set<String> begun = new HashSet<>();
    private boolean held;

    LedgerVerifier(String payer) {
        this.payer = payer;
        endpoint.always(this::answer);
    }

    String url() {
        return endpoint.url("/mpp");
    }

    /** Settlements are pending, or end again. */
    synchronized void hold(boolean now) {
        held = now;
    }

    /** How many payments were settled. */
    synchronized int settled() {
        return settled.size();
    }

    private boolean answer(FakeEndpoint.Connection connection) throws IOException, InterruptedException {
        Map<?, ?> asked = (Map<?, ?>)
                Objects.requireNonNull(Json.parse(connection.request().content()));
        String challenge = String.valueOf(((Map<?, ?>) Objects.requireNonNull(asked.get("challenge"))).get("id"));
        String text = "settle".equals(asked.get("action")) ? settlement(challenge) : verdict(challenge);
        return FakeEndpoint.respond(200, "Content-Type: application/json\r\n", text)
                .answer(connection);
    }

    private synchronized String verdict(String challenge) {
        return begun.contains(challenge)
                ? JsonText.json("valid", false, "reason", "already_submitted")
                : JsonText.json("valid", true, "payer", payer);
    }

    private synchronized String settlement(String challenge) {
        begun.add(challenge);
        if (held) {
            return """
                    {"settled":null}""";
        }
        settled.add(challenge);
        return JsonText.json("settled", true, "reference", "ref-" + challenge.substring(0, 8), "payer", payer);
    }

    @Override
    public void close() throws IOException {
        endpoint.close();
    }
}
