package dev.inboxd.mailbox.markdown;

import dev.inboxd.base.database.Database;
import dev.inboxd.base.database.View;
import dev.inboxd.base.http.Request;
import dev.inboxd.base.json.JsonObject;
import dev.inboxd.mail.markdown.MarkdownSource;
import dev.inboxd.mail.markdown.MarkdownWindow;
import dev.inboxd.mail.reply.MailKind;
import dev.inboxd.mailbox.attachment.Attachment;
import dev.inboxd.mailbox.attachment.AttachmentTexts;
import dev.inboxd.mailbox.attachment.TextFormat;
import dev.inboxd.mailbox.document.PlainText;
import dev.inboxd.mailbox.message.FullMessage;
import dev.inboxd.mailbox.message.MessageContents;
import dev.inboxd.mailbox.message.Messages;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Map;

/** The text of a file as Markdown (markdown.md §8). */
public final class FileMarkdown {
    private static final String STATUS = "text_status";
    /** Octets of the Markdown for a character of the text, at most: a cell of one sign has a bar and is escaped. */
    private static final long LARGER = 6;

    private static final long MOST = Integer.MAX_VALUE;

    private final Database database;
    private final Messages messages;
    private final MessageContents contents;

    /** Reads the files of these messages. */
    public FileMarkdown(Database database, Messages messages, MessageContents contents) {
        this.database = database;
        this.messages = messages;
        this.contents = contents;
    }

    /** The members of the piece that is asked for, or how the text stands that is not there. */
    public JsonObject members(Request request, Attachment file, MarkdownQuery query) {
        TextFormat format = TextFormat.of(file.mediaType(), file.filename(), file.size());
        if (format == TextFormat.HTML) {
            return html(request, file, query);
        }
        AttachmentTexts.State state = database.read(tx -> AttachmentTexts.state(tx, request.view(), file.id()));
        String text = state.text();
        if (text == null) {
            return JsonObject.of(STATUS, state.word());
        }
        request.reserveText(2L * text.length() + Math.min(2 * Math.min(query.most(), MOST), LARGER * text.length()));
        MarkdownWindow window = new MarkdownWindow(query.offset(), query.most());
        if (format == TextFormat.XLSX) {
            SheetMarkdown.write(text, window);
        } else {
            PlainMarkdown.fenced(text, window);
        }
        return new MarkdownAnswer(window.piece(), false).members();
    }

    /** HTML is rendered from the file itself, so it waits for nothing. */
    private JsonObject html(Request request, Attachment file, MarkdownQuery query) {
        request.reserveText(2 * Math.min(file.size(), PlainText.MOST_OCTETS));
        String html = messages.find(request.view(), file.owner().message())
                .map(message -> html(request.view(), message, file))
                .orElse("");
        // As a report: a file has no quotations that could be folded.
        MarkdownSource source = new MarkdownSource(null, null, null, html, MailKind.REPORT, Map.of());
        MarkdownAnswer rendered = MarkdownAnswer.of(source, query);
        return rendered.piece().totalChars() == 0 ? JsonObject.of(STATUS, "none") : rendered.members();
    }

    private String html(View view, FullMessage message, Attachment file) {
        try (InputStream in = contents.open(view.organization(), message.content(), file, 0)) {
            return PlainText.source(in);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
