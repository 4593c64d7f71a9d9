package dev.inboxd.mailbox.storage;

import dev.inboxd.mail.address.MailAddress;
import dev.inboxd.mail.message.AddressFields;
import dev.inboxd.mail.message.Identification;
import dev.inboxd.mail.message.ParsedMessage;
import dev.inboxd.mail.text.BlankText;
import dev.inboxd.mail.text.HtmlText;
import dev.inboxd.mail.text.Preview;
import dev.inboxd.mailbox.content.ReadableContent;
import dev.inboxd.mailbox.message.Message;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Builds the summary of a parsed message that its row shows. */
public final class MessageSummaries {
    private MessageSummaries() {}

    /**
     * The summary of a received message.
     *
     * @param sender the reverse-path, used when the message names no author that mail can be sent to; may be empty
     * @param size octets of the raw message
     */
    public static NewMessage.Summary of(ParsedMessage parsed, String sender, long size) {
        AddressFields addresses = parsed.addresses();
        List<String> authors = MailAddress.shown(addresses.from());
        Message.People people = new Message.People(
                authors.isEmpty() ? sender(sender) : authors.getFirst(),
                MailAddress.shown(addresses.to()),
                MailAddress.shown(addresses.cc()),
                MailAddress.shown(addresses.bcc()));
        return of(people, parsed, size);
    }

    /** The summary of a message of that many octets with these people. */
    public static NewMessage.Summary of(Message.People people, ParsedMessage parsed, long size) {
        ReadableContent shown = ReadableContent.of(parsed);
        return new NewMessage.Summary(
                people,
                subject(parsed.subject()),
                preview(shown),
                size,
                shown,
                parsed.body().attachments());
    }

    /** The Message-IDs that determine the thread: In-Reply-To, then References from last to first (mail.md §12.1). */
    public static List<String> candidates(Identification identification) {
        Set<String> candidates = new LinkedHashSet<>(identification.inReplyTo());
        List<String> references = new ArrayList<>(identification.references());
        Collections.reverse(references);
        candidates.addAll(references);
        return List.copyOf(candidates);
    }

    /**
     * The first 256 characters of the extracted reply, or of the whole text when nothing is extracted (mail.md §13).
     */
    public static @Nullable String preview(ReadableContent shown) {
        String extracted = shown.extractedText();
        return extracted != null ? preview(extracted, null) : preview(shown.text(), shown.html());
    }

    /** The first 256 characters of the text, or of the visible text of the HTML. */
    public static @Nullable String preview(@Nullable String text, @Nullable String html) {
        String preview = text != null ? Preview.of(text) : html != null ? Preview.of(HtmlText.render(html)) : "";
        return preview.isEmpty() ? null : preview;
    }

    /** The reverse-path as an address is shown; empty when it is none. */
    private static String sender(String reversePath) {
        MailAddress mailbox = new MailAddress(null, reversePath).mailbox();
        return mailbox == null ? "" : mailbox.toString();
    }

    /** A subject in which nothing can be seen is none. */
    private static @Nullable String subject(@Nullable String written) {
        return written == null || BlankText.isBlank(written) ? null : written;
    }
}
