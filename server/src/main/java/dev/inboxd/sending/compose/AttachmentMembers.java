package dev.inboxd.sending.compose;

import dev.inboxd.base.json.JsonBody;
import dev.inboxd.mail.compose.AttachmentContent;
import dev.inboxd.mail.compose.OutgoingAttachment;
import dev.inboxd.mail.message.FileNames;
import dev.inboxd.mailbox.attachment.MediaTypes;
import dev.inboxd.mailbox.attachment.RemoteFile;
import dev.inboxd.net.Target;
import dev.inboxd.net.TargetCheck;
import dev.inboxd.net.TargetRules;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Reads the attachments of a request, given by content or by URL (mail.md §4.5, §9.1). */
public final class AttachmentMembers {
    /** Limit of attachments of a message. */
    public static final int MOST = 100;

    private static final int LONGEST_NAME = 255;

    private enum Disposition {
        INLINE,
        ATTACHMENT
    }

    private AttachmentMembers() {}

    /**
     * Reads a member such as {@code attachments}; faults are collected in the body. An attachment given by URL holds a
     * {@link RemoteFile} until {@link dev.inboxd.mailbox.attachment.AttachmentFetcher} has fetched it.
     */
    public static List<OutgoingAttachment> read(JsonBody body, String member) {
        List<OutgoingAttachment> attachments = new ArrayList<>();
        for (JsonBody element : body.objects(member, MOST)) {
            String filename =
                    FileNames.clean(element.string("filename").max(LONGEST_NAME).optional());
            String mediaType = element.string("content_type").max(LONGEST_NAME).optional();
            if (mediaType != null && !OutgoingAttachment.isMediaType(mediaType)) {
                element.fault("content_type", "content_type must be a media type such as image/png");
            }
            Disposition disposition = element.choice(
                    "content_disposition",
                    Disposition.values(),
                    value -> value.name().toLowerCase(Locale.ROOT));
            String contentId = element.string("content_id").max(LONGEST_NAME).optional();
            if (contentId != null && !OutgoingAttachment.isContentId(contentId)) {
                element.fault("content_id", "content_id must be visible ASCII without spaces and angle brackets");
            }
            String name = Objects.requireNonNullElse(filename, "attachment-" + (attachments.size() + 1));
            String url = url(element);
            AttachmentContent content =
                    url == null ? content(element) : new RemoteFile(url, attachments.size(), filename, mediaType);
            attachments.add(new OutgoingAttachment(
                    name,
                    url == null ? MediaTypes.sent(mediaType, null, name, content) : "",
                    disposition == Disposition.INLINE,
                    contentId,
                    content));
        }
        return List.copyOf(attachments);
    }

    /**
     * The URL as it will be asked for, so that people decide about what leaves; checked as far as possible without a
     * request. Null for an attachment with content.
     */
    private static @Nullable String url(JsonBody element) {
        String written = element.string("url").optional();
        String url = written == null ? null : written.strip();
        if (url != null) {
            switch (TargetRules.checkForm(url)) {
                case TargetCheck.Invalid refused -> element.fault("url", refused.message());
                case TargetCheck.Valid(Target target) -> url = target.toString();
            }
        }
        // An empty file is content too, but beside a URL it is a member that was left empty.
        if (element.isGiven("url") ? element.isGiven("content") : !(element.isGiven("content") || isEmpty(element))) {
            element.fault(url == null ? "content" : "url", "An attachment has either content or url");
        }
        return url;
    }

    private static boolean isEmpty(JsonBody element) {
        return element.has("content") && !element.isNull("content");
    }

    private static AttachmentContent content(JsonBody element) {
        String text = element.string("content").multiline().keepEmpty().optional();
        byte[] bytes = text == null ? null : LenientBase64.decode(text);
        if (text != null && bytes == null) {
            element.fault("content", "content must be base64");
        }
        return AttachmentContent.of(bytes == null ? new byte[0] : bytes);
    }
}
