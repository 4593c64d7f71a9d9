package dev.inboxd.mailbox.http;

import dev.inboxd.base.access.Permission;
import dev.inboxd.base.http.Request;
import dev.inboxd.base.http.Response;
import dev.inboxd.base.http.Routes;
import dev.inboxd.base.json.JsonObject;
import dev.inboxd.mail.challenge.ChallengeText;
import dev.inboxd.mail.challenge.MailedCode;
import dev.inboxd.mail.challenge.MailedCodes;
import dev.inboxd.mail.link.MailLink;
import dev.inboxd.mailbox.message.FullMessage;
import dev.inboxd.mailbox.message.FullMessageReads;
import dev.inboxd.mailbox.message.Message;
import dev.inboxd.mailbox.message.MessageContents;
import java.util.List;

/** The codes and links of a message over HTTP (markdown.md §9). */
public final class ExtractedHttp {
    private final FullMessageReads fullReads;
    private final MessageContents contents;

    /** A route to these messages. */
    public ExtractedHttp(FullMessageReads fullReads, MessageContents contents) {
        this.fullReads = fullReads;
        this.contents = contents;
    }

    /** Mounts the route of one inbox. */
    public void mount(Routes inbox) {
        inbox.get(Permission.MESSAGE_READ, "/messages/{message_id}/extracted", this::get);
    }

    private Response get(Request request) {
        String name = MessageHttp.name(request);
        FullMessage fullMessage =
                fullReads.find(request, name).orElseThrow(() -> fullReads.missing(request.view(), name));
        ChallengeText mail = contents.challengeText(fullMessage);
        List<MailedCode> codes = MailedCodes.in(mail);
        List<MailLink> links = mail.links();
        Message message = fullMessage.message();
        return Response.ok(JsonObject.of("inbox_id", message.place().inboxName())
                .with("message_id", message.name())
                .with("thread_id", message.place().thread())
                .with("codes", codes.stream().map(ExtractedHttp::json).toList())
                .with("links", links.stream().map(ExtractedHttp::json).toList())
                .with("count", JsonObject.of("codes", codes.size()).with("links", links.size())));
    }

    private static JsonObject json(MailedCode code) {
        return JsonObject.of("code", code.code())
                .with("kind", code.kind().word())
                .with("confidence", code.confidence())
                .with("found_in", code.place().word())
                .with("text", code.line());
    }

    private static JsonObject json(MailLink link) {
        return JsonObject.of("n", link.number())
                .with("url", link.url())
                .with("target", link.target())
                .with("host", link.host())
                .with("text", link.text())
                .with("kind", link.kind().word())
                .with("confidence", link.confidence())
                .with("found_in", link.place().word())
                .with("mismatch", link.mismatch() ? true : null);
    }
}
