package dev.inboxd.message;

import dev.inboxd.json.Json;
import dev.inboxd.json.JsonObject;
import dev.inboxd.mail.address.MailAddress;
import dev.inboxd.mail.auth.AuthenticationResults;
import dev.inboxd.mail.auth.WrittenResults;
import dev.inboxd.mail.message.HeaderField;
import dev.inboxd.mail.message.Identification;
import dev.inboxd.mail.message.ParsedMessage;
import dev.inboxd.mail.reply.Extracted;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.zip.Deflater;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.InflaterInputStream;
import org.jspecify.annotations.Nullable;

/**
 * What is shown of a message beside its row: read from the raw bytes, or stored where those would not do.
 *
 * @param headers all fields, or null when they are over 64 KiB (contract: mail.md §4.7)
 * @param inReplyTo the message replied to, or null
 * @param authentication what the checks of a received message found; null for one that came from no other server
 */
public record Shown(@Nullable Map<String, String> headers, List<String> replyTo, @Nullable String inReplyTo,
        List<String> references, @Nullable String text, @Nullable String html,
        @Nullable AuthenticationResults authentication) {
    public Shown {
        replyTo = List.copyOf(replyTo);
        references = List.copyOf(references);
    }

    /** What is shown of a parsed message, or of the header section alone. */
    public static Shown of(ParsedMessage parsed) {
        Identification identification = parsed.identification();
        return new Shown(parsed.headerMap(), parsed.addresses().replyTo().stream().map(MailAddress::toString).toList(),
                identification.inReplyTo().isEmpty() ? null : identification.inReplyTo().getFirst(),
                identification.references(), parsed.body().text(), parsed.body().html(), findings(parsed.headers()));
    }

    /**
     * What we wrote below our Return-Path when the message came. The place makes it ours: whatever the sender writes
     * stands below our Received field, and what we compose begins with neither.
     */
    public static @Nullable AuthenticationResults findings(List<HeaderField> headers) {
        boolean ours = headers.size() > 1 && headers.get(0).name().equals("Return-Path")
                && headers.get(1).name().equals(AuthenticationResults.NAME);
        return ours ? WrittenResults.read(headers.get(1).value()) : null;
    }

    private static @Nullable AuthenticationResults findings(@Nullable String stored) {
        return stored == null ? null : WrittenResults.read(stored);
    }

    /** What the sender wrote anew (contract: mail.md §13). */
    public Extracted extracted() {
        return Extracted.of(text, html, Extracted.isReport(headers));
    }

    /** Its text, cheaper than both parts; for previews and for search. */
    public @Nullable String extractedText() {
        return Extracted.textOf(text, html, Extracted.isReport(headers));
    }

    /** The stored form: deflated JSON. */
    public byte[] deflated() {
        JsonObject json = JsonObject.of("headers", headers).with("reply_to", replyTo).with("in_reply_to", inReplyTo)
                .with("references", references).with("text", text).with("html", html)
                .with("authentication", authentication == null ? null : authentication.value("", " "));
        Deflater deflater = new Deflater(Deflater.BEST_SPEED);
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DeflaterOutputStream out = new DeflaterOutputStream(bytes, deflater)) {
            out.write(Json.write(json));
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        } finally {
            deflater.end();
        }
        return bytes.toByteArray();
    }

    /** The value of a stored form. */
    @SuppressWarnings("unchecked")
    static Shown inflated(byte[] stored) {
        try (InflaterInputStream in = new InflaterInputStream(new ByteArrayInputStream(stored))) {
            Map<String, @Nullable Object> json =
                    (Map<String, @Nullable Object>) Objects.requireNonNull(
                            Json.stored(new String(in.readAllBytes(), StandardCharsets.UTF_8)));
            return new Shown((Map<String, String>) json.get("headers"),
                    (List<String>) Objects.requireNonNull(json.get("reply_to")), (String) json.get("in_reply_to"),
                    (List<String>) Objects.requireNonNull(json.get("references")), (String) json.get("text"),
                    (String) json.get("html"), findings((String) json.get("authentication")));
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
    }
}
