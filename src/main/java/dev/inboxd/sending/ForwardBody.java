package dev.inboxd.sending;

import dev.inboxd.mail.compose.OutgoingAttachment;
import dev.inboxd.mail.text.HtmlText;
import dev.inboxd.mailbox.message.Message;
import dev.inboxd.mailbox.message.ReadableContent;
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

/** A message inside the one that passes it on: a few lines of its header, its body, its files (mail.md §6.11). */
final class ForwardBody {
    private static final String TITLE = "---------- Forwarded message ----------";
    private static final DateTimeFormatter DATE = DateTimeFormatter.ofPattern(
                    "EEE, d MMM yyyy HH:mm:ss '+0000'", Locale.ENGLISH)
            .withZone(ZoneOffset.UTC);

    private ForwardBody() {}

    /** The sender's own words and files with those of the message behind them. */
    static OutgoingMessage.Body appendedTo(OutgoingMessage.Body own, OriginalMessage source) {
        Map<String, String> header = header(source.message());
        ReadableContent original = source.readable();
        boolean html = own.html() != null || original.html() != null;
        boolean text = own.text() != null || original.text() != null || !html;
        List<OutgoingAttachment> attachments = new ArrayList<>(own.attachments());
        source.attachments().forEach(each -> attachments.add(attachment(each)));
        return new OutgoingMessage.Body(
                text ? text(own, header, original) : null, html ? html(own, header, original) : null, attachments);
    }

    private static Map<String, String> header(Message message) {
        Message.People people = message.people();
        Map<String, String> header = new LinkedHashMap<>();
        header.put("From", people.from());
        header.put("Date", date(message.createdAt()));
        header.put("Subject", Objects.requireNonNullElse(message.subject(), ""));
        header.put("To", String.join(", ", people.to()));
        if (!people.cc().isEmpty()) {
            header.put("Cc", String.join(", ", people.cc()));
        }
        return header;
    }

    private static String text(OutgoingMessage.Body own, Map<String, String> header, ReadableContent original) {
        StringBuilder text = new StringBuilder(plain(own.text(), own.html()));
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

    /** Where a document says that it ends, what follows still belongs to its body (HTML, "after after body"). */
    private static String html(OutgoingMessage.Body own, Map<String, String> header, ReadableContent original) {
        StringBuilder html = new StringBuilder(rich(own.text(), own.html()));
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

    private static OutgoingAttachment attachment(OriginalMessage.OriginalFile enclosed) {
        dev.inboxd.mailbox.attachment.Attachment file = enclosed.attachment();
        return OutgoingAttachment.ofOthers(new OutgoingAttachment(
                file.filename(), file.mediaType(), file.inline(), file.contentId(), enclosed.content()));
    }

    private static String date(Instant time) {
        return DATE.format(time);
    }
}
