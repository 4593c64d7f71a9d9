package dev.inboxd.attachment;

import dev.inboxd.json.JsonBody;
import dev.inboxd.mail.compose.Content;
import dev.inboxd.mail.message.FileNames;
import dev.inboxd.net.TargetCheck;
import dev.inboxd.net.TargetRules;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * An attachment as a request gives it (contract: mail.md §4.5): its content, or where to fetch that. {@link Fetching}
 * makes it one that can be composed.
 *
 * @param filename cleaned, or null when the request has no usable one
 * @param mediaType as the caller wrote it, or null
 * @param inline whether it is to be shown in place
 * @param contentId what {@code cid:} links name, or null
 * @param source where its bytes are
 */
public record GivenAttachment(@Nullable String filename, @Nullable String mediaType, boolean inline,
        @Nullable String contentId, Source source) {
    /** Most attachments of one message. */
    public static final int MOST = 100;

    private static final int LONGEST = 255;

    private enum Disposition { INLINE, ATTACHMENT }

    /** Where the bytes are. */
    public sealed interface Source {
        /** At hand. */
        record Held(Content content) implements Source {}

        /** Behind an {@code http} or {@code https} URL, which may still lead where nobody may go. */
        record Remote(String url) implements Source {}
    }

    /**
     * Reads a list of attachments; what is wrong is noted in the body.
     *
     * @param member {@code attachments}, or {@code add_attachments} of a draft
     */
    public static List<GivenAttachment> read(JsonBody body, String member) {
        List<GivenAttachment> attachments = new ArrayList<>();
        for (JsonBody each : body.objects(member, MOST)) {
            String filename = each.string("filename").max(LONGEST).optional();
            String mediaType = each.string("content_type").max(LONGEST).optional();
            if (mediaType != null && !dev.inboxd.mail.compose.Attachment.isMediaType(mediaType)) {
                each.fault("content_type", "content_type must be a media type such as image/png");
            }
            Disposition disposition = each.choice("content_disposition", Disposition.values(),
                    one -> one.name().toLowerCase(Locale.ROOT));
            String contentId = each.string("content_id").max(LONGEST).optional();
            if (contentId != null && !dev.inboxd.mail.compose.Attachment.isContentId(contentId)) {
                each.fault("content_id", "content_id must be visible ASCII without spaces and angle brackets");
            }
            attachments.add(new GivenAttachment(FileNames.clean(filename), mediaType,
                    disposition == Disposition.INLINE, contentId, source(each)));
        }
        return List.copyOf(attachments);
    }

    private static Source source(JsonBody each) {
        String content = each.string("content").multiline().optional();
        String url = each.string("url").optional();
        boolean both = content != null && url != null;
        boolean none = content == null && url == null && (!each.has("content") || each.isNull("content"))
                && (!each.has("url") || each.isNull("url"));
        if (both || none) {
            each.fault(both ? "url" : "content", "An attachment has either content or url");
        }
        if (url != null) {
            if (TargetRules.checkForm(url) instanceof TargetCheck.Refused refused) {
                each.fault("url", refused.message());
            }
            return new Source.Remote(url);
        }
        byte[] bytes = content == null ? new byte[0] : LooseBase64.decode(content);
        if (bytes == null) {
            each.fault("content", "content must be base64");
        }
        return new Source.Held(Content.of(bytes == null ? new byte[0] : bytes));
    }
}
