package dev.inboxd.base.http;

import java.util.Locale;

/** What a client says that it reads (RFC 9110 §12.5.1). */
public final class AcceptField {
    private AcceptField() {}

    /**
     * Whether it names a media type, whose letters have no case (§8.3.1).
     *
     * @param mediaType in lower case
     */
    public static boolean names(Request request, String mediaType) {
        String accept = request.header("Accept");
        return accept != null && accept.toLowerCase(Locale.ROOT).contains(mediaType);
    }
}
