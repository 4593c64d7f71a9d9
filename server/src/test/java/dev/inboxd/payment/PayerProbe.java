package dev.inboxd.payment;

import static dev.inboxd.testing.JsonText.json;
import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.http.HttpProbe;
import dev.inboxd.base.http.HttpProbe.Answer;
import dev.inboxd.base.json.Json;
import dev.inboxd.base.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Map;
import java.util.Objects;

/** An account that pays by x402: it asks what a call costs, signs the first offer and repeats the call. */
final class PayerProbe {
    private static final SecureRandom RANDOM = new SecureRandom();

    private final HttpProbe host;
    private final String account = hex(20);

    /**
     * A new account.
     *
     * @param port of the service
     * @param host the name at which calls are paid for
     */
    PayerProbe(int port, String host) {
        this.host = HttpProbe.of(port, null).with("Host", host);
    }

    /** The account in CAIP-10 form. */
    String account() {
        return "eip155:84532:" + account;
    }

    /** Pays for a call. */
    Answer pay(String method, String path, String body) {
        return call(method, path, body, signed(method, path, body));
    }

    /** A payment for what a call costs now. */
    String signed(String method, String path, String body) {
        Answer wanted = host.send(method, path, body).is(402);
        Map<?, ?> offer = (Map<?, ?>) wanted.list("accepts").getFirst();
        JsonObject authorization = JsonObject.of("from", account)
                .with("to", offer.get("payTo"))
                .with("value", offer.get("amount"))
                .with("validAfter", "0")
                .with("validBefore", String.valueOf(Instant.now().getEpochSecond() + 300))
                .with("nonce", hex(32));
        JsonObject payment = JsonObject.of("x402Version", 2)
                .with("accepted", offer)
                .with("payload", JsonObject.of("signature", hex(65)).with("authorization", authorization));
        return Base64.getEncoder().encodeToString(Json.write(payment));
    }

    /** A call with a payment. */
    Answer call(String method, String path, String body, String payment) {
        return host.with("PAYMENT-SIGNATURE", payment).send(method, path, body);
    }

    /** A call without a payment. */
    Answer free(String method, String path, String body) {
        return host.send(method, path, body);
    }

    /** The settlement that an answer tells of. */
    static Map<?, ?> settled(Answer answer) {
        String header = answer.header("PAYMENT-RESPONSE");
        assertThat(header).as(answer::text).isNotNull();
        Object parsed =
                Json.parse(Base64.getDecoder().decode(String.valueOf(header).getBytes(StandardCharsets.UTF_8)));
        assertThat(parsed).isInstanceOf(Map.class);
        return (Map<?, ?>) Objects.requireNonNull(parsed);
    }

    /** A body that opens an inbox. */
    static String inbox(String username) {
        return json("username", username);
    }

    private static String hex(int bytes) {
        byte[] octets = new byte[bytes];
        RANDOM.nextBytes(octets);
        return "0x" + HexFormat.of().formatHex(octets);
    }
}
