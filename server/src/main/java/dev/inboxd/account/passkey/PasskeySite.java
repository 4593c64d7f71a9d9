package dev.inboxd.account.passkey;

import java.net.URI;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * The relying party of passkeys (WebAuthn §4): the host of the public URL.
 *
 * @param origin as browsers write it (RFC 6454 §6.2)
 * @param host the identifier of the relying party
 * @param isSecure whether browsers make passkeys there
 */
record PasskeySite(String origin, String host, boolean isSecure) {
    /** An address is no identifier of a relying party (WebAuthn §5.1.3, step 8). */
    private static final Pattern ADDRESS = Pattern.compile("[0-9.]+|\\[.*]|.*:.*");

    private static final String LOCAL = "localhost";

    /** The site of a service with that public URL. */
    static PasskeySite of(URI publicUrl) {
        String host = publicUrl.getHost() == null ? "" : publicUrl.getHost().toLowerCase(Locale.ROOT);
        boolean isSafe = "https".equals(publicUrl.getScheme()) || host.equals(LOCAL) || host.endsWith("." + LOCAL);
        return new PasskeySite(
                publicUrl.getScheme() + "://" + publicUrl.getRawAuthority(),
                host,
                isSafe && !host.isEmpty() && !ADDRESS.matcher(host).matches());
    }
}
