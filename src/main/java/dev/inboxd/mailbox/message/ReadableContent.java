package dev.inboxd.mailbox.message;

import dev.inboxd.mail.address.MailAddress;
import dev.inboxd.mail.auth.AuthResultsParser;
import dev.inboxd.mail.auth.AuthenticationResults;
import dev.inboxd.mail.message.HeaderField;
import dev.inboxd.mail.message.Identification;
import dev.inboxd.mail.message.ParsedMessage;
import dev.inboxd.mail.reply.ExtractedReply;
import dev.inboxd.platform.json.Json;
import dev.inboxd.platform.json.JsonObject;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.zip.InflaterInputStream;
import org.jspecify.annotations.Nullable;

/** What is shown of a message beside its row: read from the raw bytes, or stored where those would not do. Immutable. */
public final class ReadableContent {
    private final @Nullable Map<String, String> headers;
    private final List<String> replyTo;
    private final @Nullable String inReplyTo;
    private final List<String> references;
    private final @Nullable String text;
    private final @Nullable String html;
    private final @Nullable AuthenticationResults authentication;
    // What was found once is not looked for again; a race finds the same twice.
    private volatile @Nullable ExtractedReply extracted;
    private volatile @Nullable ExtractedReply ownText;

    /**
     * What is shown.
     *
     * @param headers all fields, or null when they are over 64 KiB (mail.md §4.7)
     * @param inReplyTo the message replied to, or null
     * @param authentication what the checks of a received message found; null for one that came from no other server
     */
    public ReadableContent(
            @Nullable Map<String, String> headers,
            List<String> replyTo,
            @Nullable String inReplyTo,
            List<String> references,
            @Nullable String text,
            @Nullable String html,
            @Nullable AuthenticationResults authentication) {
        this.headers = headers;
        this.replyTo = List.copyOf(replyTo);
        this.inReplyTo = inReplyTo;
        this.references = List.copyOf(references);
        this.text = text;
        this.html = html;
        this.authentication = authentication;
    }

    /** What is shown of a parsed message, or of the header section alone. */
    public static ReadableContent of(ParsedMessage parsed) {
        Identification identification = parsed.identification();
        return new ReadableContent(
                parsed.headerMap(),
                parsed.addresses().replyTo().stream().map(MailAddress::toString).toList(),
                identification.inReplyTo().isEmpty()
                        ? null
                        : identification.inReplyTo().getFirst(),
                identification.references(),
                parsed.body().text(),
                parsed.body().html(),
                findings(parsed.headers()));
    }

    /**
     * What we wrote below our Return-Path when the message came. The place makes it ours: whatever the sender writes
     * stands below our Received field, and what we compose begins with neither.
     */
    public static @Nullable AuthenticationResults findings(List<HeaderField> headers) {
        boolean ours = headers.size() > 1
                && headers.get(0).name().equals("Return-Path")
                && headers.get(1).name().equals(AuthenticationResults.NAME);
        return ours ? AuthResultsParser.read(headers.get(1).value()) : null;
    }

    private static @Nullable AuthenticationResults findings(@Nullable String stored) {
        return stored == null ? null : AuthResultsParser.read(stored);
    }

    public @Nullable Map<String, String> headers() {
        return headers;
    }

    public List<String> replyTo() {
        return replyTo;
    }

    public @Nullable String inReplyTo() {
        return inReplyTo;
    }

    public List<String> references() {
        return references;
    }

    public @Nullable String text() {
        return text;
    }

    public @Nullable String html() {
        return html;
    }

    public @Nullable AuthenticationResults authentication() {
        return authentication;
    }

    /** What the sender wrote anew (mail.md §13). */
    public ExtractedReply extracted() {
        ExtractedReply known = extracted;
        if (known == null) {
            boolean isReport = ExtractedReply.isReport(headers);
            known = text == null
                    ? ExtractedReply.of(null, html, isReport)
                    : new ExtractedReply(extractedText(), ExtractedReply.htmlOf(html, isReport));
            extracted = known;
        }
        return known;
    }

    /** Its text, cheaper than both parts; for previews and for search. */
    public @Nullable String extractedText() {
        ExtractedReply known = ownText;
        if (known == null) {
            known = text == null ? extracted() : ExtractedReply.of(text, null, ExtractedReply.isReport(headers));
            ownText = known;
        }
        return known.text();
    }

    /**
     * The stored form. A list reads the head alone: however long a text is, it costs a list nothing.
     *
     * @param head deflated JSON of everything else
     * @param size octets of the head before it was deflated
     * @param bodies deflated JSON of the text and the HTML; null when there is neither, and of what was stored when
     *     they still were in the head
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    public record StoredForm(byte[] head, int size, byte @Nullable [] bodies) {
        /** How many octets the bodies had before they were deflated, perhaps a thousand times as many; costs no memory. */
        long textOctets() {
            if (bodies == null) {
                return size; // of old rows, whose texts are in the head
            }
            try (InflaterInputStream in = new InflaterInputStream(new ByteArrayInputStream(bodies))) {
                return in.transferTo(OutputStream.nullOutputStream());
            } catch (IOException broken) {
                throw new UncheckedIOException(broken);
            }
        }
    }

    /** To be stored. */
    public StoredForm stored() {
        byte[] head = Json.write(JsonObject.of("headers", headers)
                .with("reply_to", replyTo)
                .with("in_reply_to", inReplyTo)
                .with("references", references)
                .with("authentication", authentication == null ? null : authentication.value("", " ")));
        byte[] bodies = text == null && html == null
                ? null
                : MessageDeflation.WRAPPED.deflated(
                        Json.write(JsonObject.of("text", text).with("html", html)));
        return new StoredForm(MessageDeflation.WRAPPED.deflated(head), head.length, bodies);
    }

    /** The value of a stored form; without its bodies, when they were not read. */
    @SuppressWarnings("unchecked")
    static ReadableContent of(StoredForm stored) {
        Map<String, @Nullable Object> head = inflated(stored.head);
        Map<String, @Nullable Object> bodies = stored.bodies == null ? head : inflated(stored.bodies);
        return new ReadableContent(
                (Map<String, String>) head.get("headers"),
                (List<String>) Objects.requireNonNull(head.get("reply_to")),
                (String) head.get("in_reply_to"),
                (List<String>) Objects.requireNonNull(head.get("references")),
                (String) bodies.get("text"),
                (String) bodies.get("html"),
                findings((String) head.get("authentication")));
    }

    @SuppressWarnings("unchecked")
    private static Map<String, @Nullable Object> inflated(byte[] json) {
        try (InflaterInputStream in = new InflaterInputStream(new ByteArrayInputStream(json))) {
            return (Map<String, @Nullable Object>)
                    Objects.requireNonNull(Json.stored(new String(in.readAllBytes(), StandardCharsets.UTF_8)));
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
    }
}
