package dev.inboxd.mailbox.http;

import dev.inboxd.base.blob.BlobException;
import dev.inboxd.base.database.Database;
import dev.inboxd.base.database.View;
import dev.inboxd.base.http.FileDownload;
import dev.inboxd.base.http.Request;
import dev.inboxd.base.http.Response;
import dev.inboxd.base.http.Routes;
import dev.inboxd.base.json.JsonObject;
import dev.inboxd.base.link.Links;
import dev.inboxd.mail.markdown.MarkdownPiece;
import dev.inboxd.mailbox.attachment.Attachment;
import dev.inboxd.mailbox.attachment.AttachmentTexts;
import dev.inboxd.mailbox.attachment.Attachments;
import dev.inboxd.mailbox.content.ReadableContent;
import dev.inboxd.mailbox.markdown.MarkdownQuery;
import dev.inboxd.mailbox.markdown.PlainMarkdown;
import dev.inboxd.mailbox.message.FullMessage;
import dev.inboxd.mailbox.message.FullMessageReads;
import dev.inboxd.mailbox.message.MessageContents;
import dev.inboxd.mailbox.message.MessageJson;
import dev.inboxd.mailbox.message.Messages;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.UUID;
import java.util.function.BiFunction;

/**
 * Serves signed links (mail.md §9.3). The row is looked up at each request, so a link ends with its message. The bytes
 * are always offered as a file and never rendered on the service's host (promises.md A19, A34).
 */
public final class DownloadHttp {
    private final Database database;
    private final Messages messages;
    private final FullMessageReads fullReads;
    private final MessageContents contents;
    private final Links links;
    private final BiFunction<UUID, UUID, Optional<FileDownload>> drafts;

    /**
     * Serves files of this database.
     *
     * @param drafts finds an attachment of a draft, by organization and id
     */
    public DownloadHttp(
            Database database,
            Messages messages,
            MessageContents contents,
            Links links,
            BiFunction<UUID, UUID, Optional<FileDownload>> drafts) {
        this.database = database;
        this.messages = messages;
        this.fullReads = new FullMessageReads(database);
        this.contents = contents;
        this.links = links;
        this.drafts = drafts;
    }

    /** Mounts the one route, which needs no key. */
    public void mount(Routes root) {
        root.page("/download/{token}", this::download);
    }

    private Response download(Request request) {
        Response answer = answer(request)
                .header("X-Content-Type-Options", "nosniff")
                .header("X-Frame-Options", "DENY")
                .header("Content-Security-Policy", "default-src 'none'; sandbox")
                .header("Referrer-Policy", "no-referrer")
                .header("Cache-Control", "no-store");
        // RFC 6797 §7.2: never over plain HTTP, where an attacker could have sent it.
        return links.areSecure() ? answer.header("Strict-Transport-Security", "max-age=31536000") : answer;
    }

    private Response answer(Request request) {
        Links.Target target = links.open(request.path("token"));
        if (target == null) {
            return refusal(403, "The link is not valid, or not any more");
        }
        try {
            return answer(request, target);
        } catch (BlobException failure) {
            if (failure.kind() == BlobException.Kind.MISSING) {
                // Deleted after the row was read: then there is no row any more. Else the store has lost it.
                return answer(request, target);
            }
            throw failure;
        }
    }

    private Response answer(Request request, Links.Target target) {
        View view = View.of(target.organization());
        Optional<Response> response = switch (target.kind()) {
            case RAW ->
                messages.find(view, target.id())
                        .map(message -> raw(view, message).to(request));
            case ATTACHMENT -> attachment(view, target.id(), request);
            case TEXT -> text(view, target.id(), request);
            case BODY -> fullReads.find(request, view, target.id()).map(this::body);
            case DRAFT_ATTACHMENT ->
                drafts.apply(target.organization(), target.id()).map(file -> file.to(request));
        };
        return response.orElseGet(DownloadHttp::deletedLink);
    }

    private Response body(FullMessage fullMessage) {
        ReadableContent shown = contents.readable(fullMessage.content());
        return Response.ok(MessageJson.withBody(new JsonObject(), shown, shown.extracted()));
    }

    private FileDownload raw(View view, FullMessage fullMessage) {
        UUID id = fullMessage.message().id();
        return new FileDownload(
                "message.eml",
                "message/rfc822",
                fullMessage.message().size(),
                "r-" + id,
                (offset, length) -> contents.open(view.organization(), fullMessage.content(), offset, length));
    }

    private Optional<Response> attachment(View view, UUID id, Request request) {
        Optional<Attachment> attachment = database.read(tx -> Attachments.find(tx, view, id));
        return attachment.flatMap(part -> messages.find(view, part.owner().message())
                .map(message -> {
                    String name = part.filename() == null ? "attachment" : part.filename();
                    return new FileDownload(
                                    name,
                                    part.mediaType(),
                                    part.size(),
                                    "a-" + id,
                                    (offset, _) -> contents.open(view.organization(), message.content(), part, offset))
                            .to(request);
                }));
    }

    private Optional<Response> text(View view, UUID id, Request request) {
        return database.read(tx -> Attachments.find(tx, view, id))
                .filter(attachment ->
                        messages.find(view, attachment.owner().message()).isPresent())
                .flatMap(attachment -> database.read(tx -> AttachmentTexts.find(tx, view, id))
                        .map(stored -> text(AttachmentTexts.inflated(stored), attachment, request)));
    }

    /** The piece of a text that is asked for; its figures stand in header fields (markdown.md §8). */
    private static Response text(String fullText, Attachment attachment, Request request) {
        MarkdownQuery markdownQuery = MarkdownQuery.ofText(request.query());
        request.reserveText(fullText.length());
        MarkdownPiece piece = PlainMarkdown.piece(fullText, markdownQuery.offset(), markdownQuery.most());
        byte[] text = piece.text().getBytes(StandardCharsets.UTF_8);
        String name = (attachment.filename() == null ? "attachment" : attachment.filename()) + ".txt";
        boolean isWhole = piece.text().length() == fullText.length();
        String tag =
                "t-" + attachment.id() + (isWhole ? "" : "-" + markdownQuery.offset() + "-" + markdownQuery.most());
        Response answer = new FileDownload(
                        name,
                        "text/plain; charset=utf-8",
                        text.length,
                        tag,
                        (offset, length) -> new ByteArrayInputStream(text, (int) offset, (int) length))
                .to(request)
                .header("X-Text-Tokens", String.valueOf(piece.tokens()))
                .header("X-Text-Total-Chars", String.valueOf(piece.totalChars()));
        return piece.isTruncated() ? answer.header("X-Text-Next-Offset", String.valueOf(piece.nextOffset())) : answer;
    }

    private static Response deletedLink() {
        return refusal(404, "What the link leads to was deleted");
    }

    private static Response refusal(int status, String message) {
        return Response.of(status, JsonObject.of("message", message));
    }
}
