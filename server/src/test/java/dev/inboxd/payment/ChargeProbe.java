package dev.inboxd.payment;

import dev.inboxd.base.http.HttpProbe;
import dev.inboxd.base.http.HttpProbe.Answer;
import dev.inboxd.base.json.Json;
import dev.inboxd.base.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Pays by MPP with a method whose payload does not name its payer, such as a transaction of tempo. */
final class ChargeProbe {
    private static final Pattern PARAMETER = Pattern.compile("([a-z]+)=\"([^\"]*)\"");

    private final HttpProbe host;

    /**
     * A client.
     *
     * @param port of the service
     * @param host the name at which calls are paid for
     */
    ChargeProbe(int port, String host) {
        this.host = HttpProbe.of(port, null).with("Host", host);
    }

    /** Pays for a call. */
    Answer pay(String method, String path, String body) {
        return call(method, path, body, signed(method, path, body));
    }

    /** A payment for what a call costs now. */
    String signed(String method, String path, String body) {
        String field = String.valueOf(host.send(method, path, body).is(402).header("WWW-Authenticate"));
        Map<String, Object> challenge = new HashMap<>();
        Matcher parameters = PARAMETER.matcher(field);
        while (parameters.find()) {
            challenge.put(parameters.group(1), parameters.group(2));
        }
        JsonObject payload = JsonObject.of("type", "transaction")
                .with("signature", "0x" + UUID.randomUUID().toString().replace("-", ""));
        byte[] credential = Json.write(JsonObject.of("challenge", challenge).with("payload", payload));
        return "Payment " + Base64.getUrlEncoder().withoutPadding().encodeToString(credential);
    }

    /** A call with a payment. */
    Answer call(String method, String path, String body, String payment) {
        return host.with("Authorization", payment).send(method, path, body);
    }

    /** A call without one. */
    Answer free(String method, String path) {
        return host.send(method, path, "");
    }

    /** The receipt of an answer. */
    static Map<?, ?> receipt(Answer answer) {
        String field = String.valueOf(answer.header("Payment-Receipt"));
        return Json.parse(Base64.getUrlDecoder().decode(field.getBytes(StandardCharsets.US_ASCII)))
                        instanceof Map<?, ?> receipt
                ? receipt
                : Map.of();
    }
}
