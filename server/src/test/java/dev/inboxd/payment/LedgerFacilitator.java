package dev.inboxd.payment;

import dev.inboxd.base.json.Json;
import dev.inboxd.net.FakeEndpoint;
import dev.inboxd.testing.JsonText;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A facilitator for tests: it takes every signature, and settles each authorization once. Its ledger has what was
 * settled, by the nonce. A script says what else becomes of the next settlements.
 */
final class LedgerFacilitator implements AutoCloseable {
    private final FakeEndpoint endpoint = FakeEndpoint.start();
    private final Map<String, String> ledger = new LinkedHashMap<>();
    private final Deque<Fault> faults = new ArrayDeque<>();
    private final Object lock = new Object();
    private boolean held;

    /** What becomes of a settlement. */
    enum Fault {
        /** Refused: no money. */
        REFUSED,
        /** Settled, and the connection is cut before the answer. */
        LOST,
        /** Not settled, and the connection is cut. */
        CUT,
        /** Neither: it is pending. */
        PENDING,
        /** Not asked: too many requests. */
        BUSY
    }

    LedgerFacilitator() {
        endpoint.always(this::answer);
    }

    String url() {
        return endpoint.url("");
    }

    /** The next settlements end so. */
    void next(Fault... some) {
        synchronized (lock) {
            faults.addAll(List.of(some));
        }
    }

    /** Every settlement is pending until it is said otherwise. */
    void hold() {
        synchronized (lock) {
            held = true;
        }
    }

    /** Settlements end again. */
    void letGo() {
        synchronized (lock) {
            held = false;
        }
    }

    /** The amounts that were settled, by nonce. */
    Map<String, String> ledger() {
        synchronized (lock) {
            return Map.copyOf(ledger);
        }
    }

    private boolean answer(FakeEndpoint.Connection connection) throws IOException, InterruptedException {
        FakeEndpoint.Received request = connection.request();
        if (request.path().endsWith("/supported")) {
            return json(200, JsonText.json("kinds", List.of())).answer(connection);
        }
        Map<?, ?> authorization = authorization(request.content());
        if (request.path().endsWith("/verify")) {
            return verdict(authorization).answer(connection);
        }
        Fault fault;
        boolean used;
        synchronized (lock) {
            fault = held ? Fault.PENDING : faults.poll();
            used = ledger.containsKey(nonce(authorization));
            if (!used && (fault == null || fault == Fault.LOST)) {
                ledger.put(nonce(authorization), String.valueOf(authorization.get("value")));
            }
        }
        return settlement(fault, used, authorization).answer(connection);
    }

    /** What was settled is no good for another payment. */
    private FakeEndpoint.Behaviour verdict(Map<?, ?> authorization) {
        synchronized (lock) {
            return json(
                    200,
                    ledger.containsKey(nonce(authorization))
                            ? JsonText.json("isValid", false, "invalidReason", "nonce_already_used")
                            : JsonText.json("isValid", true, "payer", authorization.get("from")));
        }
    }

    private static FakeEndpoint.Behaviour settlement(@Nullable Fault fault, boolean used, Map<?, ?> authorization) {
        if (fault == Fault.LOST || fault == Fault.CUT) {
            return FakeEndpoint.hangUp();
        }
        if (fault == Fault.BUSY) {
            return json(429, "{}");
        }
        String reason = fault == Fault.REFUSED
                ? "insufficient_funds"
                : fault == Fault.PENDING ? "settlement_pending" : used ? "nonce_already_used" : null;
        return json(
                200,
                reason == null
                        ? JsonText.json(
                                "success",
                                true,
                                "transaction",
                                "0x" + nonce(authorization).substring(2, 12),
                                "network",
                                "eip155:84532",
                                "payer",
                                authorization.get("from"))
                        : JsonText.json(
                                "success", false, "errorReason", reason, "transaction", "", "network", "eip155:84532"));
    }

    private static FakeEndpoint.Behaviour json(int status, String text) {
        return FakeEndpoint.respond(status, "Content-Type: application/json\r\n", text);
    }

    private static String nonce(Map<?, ?> authorization) {
        return String.valueOf(authorization.get("nonce"));
    }

    private static Map<?, ?> authorization(byte[] content) {
        Object at = Json.parse(content);
        for (String member : new String[] {"paymentPayload", "payload", "authorization"}) {
            at = ((Map<?, ?>) Objects.requireNonNull(at)).get(member);
        }
        return (Map<?, ?>) Objects.requireNonNull(at);
    }

    @Override
    public void close() throws IOException {
        endpoint.close();
    }
}
