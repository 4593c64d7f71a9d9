package dev.inboxd.sending.compose;

import dev.inboxd.mail.compose.OutgoingAttachment;
import dev.inboxd.mail.text.HtmlText;
import dev.inboxd.mailbox.content.ReadableContent;
import dev.inboxd.mailbox.message.Message;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Appends the forwarded message to the sender's body: header lines, body and attachments (mail.md §6.11). */
final class ForwardBody {
    private static final String TITLE = "---------- Forwarded message ----------";
    private static final DateTimeFormatter DATE = DateTimeFormatter.ofPattern(
                    "EEE, d MMM yyyy HH:mm:ss '+0000'", Locale.ENGLISH)
            .withZone(ZoneOffset.UTC);

    private ForwardBody() {}

    /** The sender's text and attachments, followed by those of the original message. */
    static OutgoingMessage.Body appendedTo(OutgoingMessage.Body body, OriginalMessage source) {
        Map<String, String> header = header(source);
        ReadableContent original = source.readable();
        boolean html = body.html() != null || original.html() != null;
        boolean text = body.text() != null || original.text() != null || !html;
        List<OutgoingAttachment> attachments = new ArrayList<>(body.attachments());
        Map<Integer, String> types =
                source.attachments().isEmpty() ? Map.of() : source.mediaTypes().get();
        source.attachments().forEach(file -> attachments.add(attachment(file, types)));
        return new OutgoingMessage.Body(
                text ? text(body, header, original) : null, html ? html(body, header, original) : null, attachments);
    }

    private static Map<String, String> header(OriginalMessage source) {
        Message message = source.message();
        Message.People people = message.people();
        Map<String, String> header = new LinkedHashMap<>();
        header.put("From", people.from());
        String written = source.readable().date();
        header.put("Date", written != null ? written : date(message.createdAt()));
        header.put("Subject", Objects.requireNonNullElse(message.subject(), ""));
        header.put("To", String.join(", ", people.to()));
        if (!people.cc().isEmpty()) {
            header.put("Cc", String.join(", ", people.cc()));
        }
        return header;
    }

    private static String text(OutgoingMessage.Body body, Map<String, String> header, ReadableContent original) {
        StringBuilder text = new StringBuilder(plain(body.text(), body.html()));
        if (!text.isEmpty()) {
            text.append(text.charAt(text.length() - 1) == '\n' ? "\n" : "\n\n");
        }
        text.append(TITLE).append('\n');
        header.forEach(
                (name, value) -> text.append(name).append(": ").append(value).append('\n'));
        return text.append('\n').append(plain(original.text(), original.html())).toString();
    }

    private static String plain(@Nullable String text, @Nullable String html) {
        return text != null ? text : html != null ? HtmlText.render(html) : "";
    }

    /** HTML after the end tag of a document still belongs to its body (HTML, "after after body"). */
    private static String html(OutgoingMessage.Body body, Map<String, String> header, ReadableContent original) {
        StringBuilder html = new StringBuilder(rich(body.text(), body.html()));
        html.append("<br><div class=\"forwarded\"><div>").append(TITLE);
        header.forEach(
                (name, value) -> html.append("<br>").append(name).append(": ").append(escaped(value)));
        return html.append("</div><br>")
                .append(rich(original.text(), original.html()))
                .append("</div>")
                .toString();
    }

    private static String rich(@Nullable String text, @Nullable String html) {
        return html != null
                ? html
                : text == null || text.isEmpty()
                        ? ""
                        : "<div style=\"white-space: pre-wrap\">" + escaped(text) + "</div>";
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }

    /** The file with all parameters of its type: without them a table is in another charset, a calendar no request. */
    private static OutgoingAttachment attachment(OriginalMessage.OriginalFile enclosed, Map<Integer, String> types) {
        dev.inboxd.mailbox.attachment.Attachment file = enclosed.attachment();
        String written = types.getOrDefault(file.part(), "");
        boolean isSame = written.startsWith(file.mediaType() + ";") && OutgoingAttachment.isMediaType(written);
        String type = isSame ? written : file.mediaType();
        return OutgoingAttachment.ofOthers(
                new OutgoingAttachment(file.filename(), type, file.inline(), file.contentId(), enclosed.content()));
    }

    private static String date(Instant time) {
        return DATE.format(time);
    }
}
