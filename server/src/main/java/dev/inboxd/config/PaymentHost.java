package dev.inboxd.config;

import java.net.URI;
import java.util.OptionalInt;

/**
 * A host at which calls are paid for.
 *
 * @param name in lower case
 * @param port empty for that of the public URL
 */
public record PaymentHost(String name, OptionalInt port) {
    /**
     * Parses {@code host} or {@code host:port}.
     *
     * @throws IllegalArgumentException when the text has neither form
     */
    static PaymentHost parse(String text) {
        int colon = text.indexOf(':');
        OptionalInt port = colon < 0
                ? OptionalInt.empty()
                : OptionalInt.of(SettingType.PORT.parser().apply(text.substring(colon + 1)));
        return new PaymentHost(SettingType.HOST.parser().apply(colon < 0 ? text : text.substring(0, colon)), port);
    }

    /** Its address, without a slash at the end: the scheme of the public URL, and its port unless this has one. */
    public URI baseUrl(URI publicUrl) {
        int number = port.orElse(publicUrl.getPort());
        return URI.create(publicUrl.getScheme() + "://" + name + (number < 0 ? "" : ":" + number));
    }
}
