package dev.inboxd.mailbox.content;

import dev.inboxd.base.json.Json;
import dev.inboxd.base.json.JsonObject;
import dev.inboxd.mail.address.MailAddress;
import dev.inboxd.mail.auth.AuthResultsParser;
import dev.inboxd.mail.auth.AuthenticationResults;
import dev.inboxd.mail.challenge.ChallengeText;
import dev.inboxd.mail.challenge.MailBodies;
import dev.inboxd.mail.message.Body;
import dev.inboxd.mail.message.DateTimes;
import dev.inboxd.mail.message.HeaderField;
import dev.inboxd.mail.message.Identification;
import dev.inboxd.mail.message.ParsedMessage;
import dev.inboxd.mail.reply.ExtractedReply;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The parsed form of a message: its headers, references and texts. Parsed from the raw bytes, or stored for large
 * messages. Immutable.
 */
public final class ReadableContent {
    private static final int MAX_DATE = 100;

    private final @Nullable Map<String, String> headers;
    private final Authorship authorship;
    private final Identification identification;
    private final Body body;
    private final @Nullable AuthenticationResults authentication;
    // Computed once; threads that race compute the same value twice.
    private volatile @Nullable ExtractedReply extracted;
    private volatile @Nullable ExtractedReply ownText;

    /**
     * Who wrote the message.
     *
     * @param isNamed whether From names somebody whom mail can be sent to
     * @param replyTo the mailboxes of Reply-To as they are shown
     */
    public record Authorship(boolean isNamed, List<String> replyTo) {
        public Authorship {
            replyTo = List.copyOf(replyTo);
        }
    }

    /**
     * A parsed form.
     *
     * @param headers all fields, or null when they are over 64 KiB (mail.md §4.7)
     * @param identification its id as its sender wrote it, and those it refers to
     * @param body the texts; its attachments are not looked at
     * @param authentication the results of the checks of a received message; null for a message that no other server
     *     delivered
     */
    public ReadableContent(
            @Nullable Map<String, String> headers,
            Authorship authorship,
            Identification identification,
            Body body,
            @Nullable AuthenticationResults authentication) {
        this.headers = headers;
        this.authorship = authorship;
        this.identification = identification;
        this.body = body;
        this.authentication = authentication;
    }

    /** The parsed form of a whole message, or of its header section alone. */
    public static ReadableContent of(ParsedMessage parsed) {
        return new ReadableContent(
                parsed.headerMap(),
                new Authorship(
                        !MailAddress.shown(parsed.addresses().from()).isEmpty(),
                        MailAddress.shown(parsed.addresses().replyTo())),
                parsed.identification(),
                parsed.body(),
                findings(parsed.headers()));
    }

    /**
     * The Authentication-Results that this server wrote below its Return-Path when the message arrived. Their place
     * proves their origin: the sender's fields are below this server's Received field, and mail composed here begins
     * with neither.
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

    /** The Date field as its author wrote it; null when there is none, or none that is a date (RFC 5322 §3.3). */
    public @Nullable String date() {
        String written = header("date");
        return written != null && written.length() <= MAX_DATE && DateTimes.parse(written) != null ? written : null;
    }

    /** Whether it says that a machine wrote it (RFC 3834 §5.2). */
    public boolean isAutomatic() {
        String word = header("auto-submitted");
        return word != null && !word.strip().toLowerCase(Locale.ROOT).startsWith("no");
    }

    public List<String> replyTo() {
        return authorship.replyTo;
    }

    /** Whether From names somebody whom mail can be sent to; the envelope's sender is no author (ruling 130). */
    public boolean isAuthored() {
        return authorship.isNamed;
    }

    /** The id that its sender wrote; null when there is none, and for large mail that was stored without it. */
    public @Nullable String messageId() {
        return identification.messageId();
    }

    /** The first message that it replies to, or null. */
    public @Nullable String inReplyTo() {
        return identification.inReplyTo().isEmpty()
                ? null
                : identification.inReplyTo().getFirst();
    }

    /** Whether it replies to a message of one of these ids; without In-Reply-To, the last of References is meant. */
    public boolean isReplyTo(Set<String> ids) {
        List<String> references = references();
        return identification.inReplyTo().isEmpty()
                ? !references.isEmpty() && ids.contains(references.getLast())
                : identification.inReplyTo().stream().anyMatch(ids::contains);
    }

    public List<String> references() {
        return identification.references();
    }

    public @Nullable String text() {
        return body.text();
    }

    /** The text with its lines joined, where its format says so (RFC 3676); else null. */
    public @Nullable String flowed() {
        return body.flowed();
    }

    public @Nullable String html() {
        return body.html();
    }

    public @Nullable AuthenticationResults authentication() {
        return authentication;
    }

    /** The extracted reply: the new text of the sender, without quotations (mail.md §13). */
    public ExtractedReply extracted() {
        ExtractedReply reply = extracted;
        if (reply == null) {
            boolean isReport = ExtractedReply.isReport(headers);
            reply = body.text() == null
                    ? ExtractedReply.of(null, body.html(), isReport)
                    : ExtractedReply.of("", body.html(), isReport).withText(extractedText());
            extracted = reply;
        }
        return reply;
    }

    /**
     * What the message says, as far as codes and links are looked for in it (markdown.md §9).
     *
     * @param subject of the message
     */
    public ChallengeText challengeText(@Nullable String subject) {
        String text = body.flowed() == null ? body.text() : body.flowed();
        MailBodies bodies = new MailBodies(
                text, text == null ? null : extractedText(), body.html(), ExtractedReply.isReport(headers));
        return ChallengeText.of(subject, bodies, header("list-unsubscribe"));
    }

    private @Nullable String header(String name) {
        return headers == null
                ? null
                : headers.entrySet().stream()
                        .filter(field -> field.getKey().equalsIgnoreCase(name))
                        .map(Map.Entry::getValue)
                        .findFirst()
                        .orElse(null);
    }

    /** The text of the extracted reply; cheaper than {@link #extracted}, for previews and for the search index. */
    public @Nullable String extractedText() {
        ExtractedReply reply = ownText;
        if (reply == null) {
            boolean isReport = ExtractedReply.isReport(headers);
            String text = body.text();
            String flowed = body.flowed();
            reply = text == null
                    ? extracted()
                    : flowed == null || isReport
                            ? ExtractedReply.of(text, null, isReport)
                            : ExtractedReply.ofFlowed(flowed);
            ownText = reply;
        }
        return reply.text();
    }

    /**
     * The stored form. A list reads the head alone, so a long text costs a list nothing.
     *
     * @param head deflated JSON of everything else
     * @param size octets of the head before deflation
     * @param bodies deflated JSON of the text and the HTML; null when there is neither, and in old rows, which have
     *     both in the head
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    public record StoredForm(byte[] head, int size, byte @Nullable [] bodies) {
        /**
         * The octets of the bodies before deflation, perhaps a thousand times their stored size. Counted without
         * memory.
         */
        long textOctets() {
            if (bodies == null) {
                return size; // old rows have their texts in the head
            }
            return MessageInflation.size(bodies);
        }
    }

    /** The form that is stored. */
    public StoredForm stored() {
        byte[] head = Json.write(JsonObject.of("headers", headers)
                .with("authored", authorship.isNamed ? null : false)
                .with("reply_to", authorship.replyTo)
                .with("message_id", messageId())
                .with("in_reply_to", inReplyTo())
                .with("references", references())
                .with("authentication", authentication == null ? null : authentication.value("", " ")));
        byte[] bodies = body.text() == null && body.html() == null
                ? null
                : MessageDeflation.WRAPPED.deflated(Json.write(JsonObject.of("text", body.text())
                        .with("html", body.html())
                        .with("flowed", body.flowed())));
        return new StoredForm(MessageDeflation.WRAPPED.deflated(head), head.length, bodies);
    }

    /** Reads a stored form; the result has no bodies when they were not read. */
    @SuppressWarnings("unchecked")
    public static ReadableContent of(StoredForm stored) {
        Map<String, @Nullable Object> head = inflated(stored.head);
        Map<String, @Nullable Object> bodies = stored.bodies == null ? head : inflated(stored.bodies);
        return new ReadableContent(
                (Map<String, String>) head.get("headers"),
                new Authorship(!Boolean.FALSE.equals(head.get("authored")), (List<String>)
                        Objects.requireNonNull(head.get("reply_to"))),
                new Identification(
                        (String) head.get("message_id"),
                        head.get("in_reply_to") instanceof String parent ? List.of(parent) : List.of(),
                        (List<String>) Objects.requireNonNull(head.get("references"))),
                new Body(
                        (String) bodies.get("text"),
                        (String) bodies.get("flowed"),
                        (String) bodies.get("html"),
                        List.of()),
                findings((String) head.get("authentication")));
    }

    @SuppressWarnings("unchecked")
    private static Map<String, @Nullable Object> inflated(byte[] json) {
        return (Map<String, @Nullable Object>) Objects.requireNonNull(Json.stored(MessageInflation.text(json)));
    }
}
