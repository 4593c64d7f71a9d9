package dev.inboxd.payment.purchase;

import dev.inboxd.base.http.LocalCall;
import dev.inboxd.base.http.Response;
import dev.inboxd.base.json.Json;
import dev.inboxd.base.json.JsonObject;
import dev.inboxd.base.vault.Vault;
import dev.inboxd.mailbox.attachment.KeptFiles;
import dev.inboxd.payment.facilitator.PaymentQuestion;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Requests that are being paid for, and their answers, sealed as they may have secrets. */
public final class StoredRequests {
    private static final String REQUEST = "payment request";
    private static final String ANSWER = "payment answer";
    /** A larger answer is not kept: its caller reads again what was made. */
    private static final int LARGEST_ANSWER = 8 * 1_048_576;

    private final Vault vault;

    public StoredRequests(Vault vault) {
        this.vault = vault;
    }

    /**
     * A stored request.
     *
     * @param question what the facilitator is asked
     * @param files those by URL that were fetched for it
     */
    record StoredRequest(LocalCall call, PaymentQuestion question, List<KeptFiles.KeptFile> files) {}

    byte[] sealed(Order order) {
        LocalCall call = order.call();
        JsonObject json = JsonObject.of("method", call.method())
                .with("path", call.path())
                .with("query", call.query())
                .with("body", call.body())
                .with("headers", call.headers())
                .with("files", order.files().stream().map(StoredRequests::json).toList())
                .with("key", order.question().key())
                .with("question", order.question().text());
        return vault.seal(REQUEST, Json.write(json));
    }

    StoredRequest opened(UUID payment, byte[] sealed) {
        Map<?, ?> members = (Map<?, ?>) Objects.requireNonNull(Json.parse(vault.open(REQUEST, sealed)));
        Map<String, String> headers = new HashMap<>();
        if (members.get("headers") instanceof Map<?, ?> fields) {
            fields.forEach((name, value) -> headers.put(String.valueOf(name), String.valueOf(value)));
        }
        LocalCall call = new LocalCall(
                String.valueOf(members.get("method")),
                String.valueOf(members.get("path")),
                text(members, "query"),
                text(members, "body"),
                headers);
        List<KeptFiles.KeptFile> files = new ArrayList<>();
        for (Object file : members.get("files") instanceof List<?> list ? list : List.of()) {
            files.add(file((Map<?, ?>) file));
        }
        PaymentQuestion question = PaymentQuestion.stored(
                payment.toString(), String.valueOf(members.get("key")), String.valueOf(members.get("question")));
        return new StoredRequest(call, question, files);
    }

    private static JsonObject json(KeptFiles.KeptFile file) {
        return JsonObject.of("position", file.position())
                .with("filename", file.filename())
                .with("type", file.mediaType())
                .with("content", Base64.getEncoder().encodeToString(file.content()));
    }

    private static KeptFiles.KeptFile file(Map<?, ?> members) {
        return new KeptFiles.KeptFile(
                ((Number) Objects.requireNonNull(members.get("position"))).intValue(),
                String.valueOf(members.get("filename")),
                String.valueOf(members.get("type")),
                Base64.getDecoder().decode(String.valueOf(members.get("content"))));
    }

    /** An answer for a repeat of its request; null when it is too large, or is no text. */
    byte @Nullable [] sealed(Response answer) {
        return answer.body() instanceof Response.Body.Bytes bytes && bytes.content().length <= LARGEST_ANSWER
                ? vault.seal(
                        ANSWER,
                        Json.write(JsonObject.of("status", answer.status())
                                .with("type", bytes.mediaType())
                                .with("headers", answer.headers())
                                .with("body", new String(bytes.content(), StandardCharsets.UTF_8))))
                : null;
    }

    Response answer(byte[] sealed) {
        Map<?, ?> members = (Map<?, ?>) Objects.requireNonNull(Json.parse(vault.open(ANSWER, sealed)));
        byte[] content = String.valueOf(members.get("body")).getBytes(StandardCharsets.UTF_8);
        Response answer = Response.bytes(
                ((Number) Objects.requireNonNull(members.get("status"))).intValue(),
                String.valueOf(members.get("type")),
                content);
        List<?> headers = members.get("headers") instanceof List<?> list ? list : List.of();
        for (int i = 0; i + 1 < headers.size(); i += 2) {
            answer = answer.header(String.valueOf(headers.get(i)), String.valueOf(headers.get(i + 1)));
        }
        return answer;
    }

    private static @Nullable String text(Map<?, ?> members, String name) {
        return members.get(name) instanceof String text ? text : null;
    }
}
