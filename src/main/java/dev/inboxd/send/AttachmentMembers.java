package dev.inboxd.send;

import dev.inboxd.json.JsonBody;
import dev.inboxd.mail.compose.Attachment;
import dev.inboxd.mail.compose.Content;
import dev.inboxd.mail.message.FileNames;
import java.net.URLConnection;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Attachments given as content (contract: mail.md §4.5, §9.1). */
public final class AttachmentMembers {
    private static final int MOST = 100;
    private static final int LONGEST_NAME = 255;

    private enum Disposition { INLINE, ATTACHMENT }

    private AttachmentMembers() {}

    /** Reads the member {@code attachments}; what is wrong is noted in the body. */
    public static List<Attachment> read(JsonBody body) {
        List<Attachment> attachments = new ArrayList<>();
        for (JsonBody each : body.objects("attachments", MOST)) {
            String filename = each.string("filename").max(LONGEST_NAME).optional();
            String mediaType = each.string("content_type").max(LONGEST_NAME).optional();
            Disposition disposition = each.choice("content_disposition", Disposition.values(),
                    one -> one.name().toLowerCase(Locale.ROOT));
            String contentId = each.string("content_id").max(LONGEST_NAME).optional();
            byte[] content = content(each);
            String name = Objects.requireNonNullElse(FileNames.clean(filename),
                    "attachment-" + (attachments.size() + 1));
            attachments.add(new Attachment(name, mediaType == null ? byExtension(name) : mediaType,
                    disposition == Disposition.INLINE, contentId, Content.of(content)));
        }
        return List.copyOf(attachments);
    }

    private static String byExtension(String filename) {
        String guessed = URLConnection.guessContentTypeFromName(filename);
        return guessed == null ? "application/octet-stream" : guessed;
    }

    private static byte[] content(JsonBody each) {
        String text = each.string("content").multiline().optional();
        if (text != null && each.has("url")) {
            each.fault("url", "Give either content or url");
        }
        if (text == null) {
            each.fault("content", each.has("url")
                    ? "Give the content in base64; attachments by url are not taken yet"
                    : "An attachment needs its content in base64");
            return new byte[0];
        }
        byte[] bytes = decoded(text);
        if (bytes == null) {
            each.fault("content", "content must be base64");
            return new byte[0];
        }
        return bytes;
    }

    /** Both alphabets of RFC 4648, with or without padding, in lines or not. */
    private static byte @Nullable [] decoded(String text) {
        StringBuilder clean = new StringBuilder(text.length());
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c != '\r' && c != '\n') {
                clean.append(c == '-' ? '+' : c == '_' ? '/' : c);
            }
        }
        while (!clean.isEmpty() && clean.charAt(clean.length() - 1) == '=') {
            clean.setLength(clean.length() - 1);
        }
        try {
            return Base64.getDecoder().decode(clean.toString());
        } catch (IllegalArgumentException malformed) {
            return null;
        }
    }
}
