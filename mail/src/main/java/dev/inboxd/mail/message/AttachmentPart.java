package dev.inboxd.mail.message;

import org.jspecify.annotations.Nullable;

/**
 * One attachment of a message.
 *
 * @param index its number for {@link PartReader}
 * @param mediaType in lower case without parameters, such as {@code image/png}
 * @param filename safe to show and to save under; null when the part has none
 * @param inline whether it belongs into the body: by its disposition, or because the HTML refers to it
 * @param contentId without angle brackets (RFC 2392); null when absent
 * @param size in octets, decoded
 * @param isText whether its content begins like text, whatever its type says
 */
public record AttachmentPart(
        int index,
        String mediaType,
        @Nullable String filename,
        boolean inline,
        @Nullable String contentId,
        long size,
        boolean isText) {}
