package dev.inboxd.account.passkey;

import dev.inboxd.base.json.Json;
import dev.inboxd.base.json.JsonObject;
import java.nio.ByteBuffer;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** What a page gives its browser to make a passkey, or to ask for one (WebAuthn §5.1.8, §5.1.9). */
record PasskeyOptions(PasskeySite site) {
    /** ES256, EdDSA and RS256 as COSE numbers them, the preferred first. */
    static final List<Integer> ALGORITHMS = List.of(-7, -8, -257);

    private static final Base64.Encoder BASE64 = Base64.getUrlEncoder().withoutPadding();
    private static final int MINUTES = 5 * 60 * 1_000;
    private static final String REQUIRED = "required";

    /**
     * Who a passkey belongs to, as its authenticator keeps it (WebAuthn §5.4.3, user handle). It names the
     * organization, whose rows are looked at.
     */
    record Owner(UUID organization, UUID user) {
        byte[] handle() {
            return ByteBuffer.allocate(4 * Long.BYTES)
                    .putLong(organization.getMostSignificantBits())
                    .putLong(organization.getLeastSignificantBits())
                    .putLong(user.getMostSignificantBits())
                    .putLong(user.getLeastSignificantBits())
                    .array();
        }

        static Optional<Owner> of(byte[] handle) {
            if (handle.length != 4 * Long.BYTES) {
                return Optional.empty();
            }
            ByteBuffer read = ByteBuffer.wrap(handle);
            return Optional.of(
                    new Owner(new UUID(read.getLong(), read.getLong()), new UUID(read.getLong(), read.getLong())));
        }
    }

    /**
     * To make one.
     *
     * @param existing ids of the credentials that the person has: no authenticator makes two
     */
    String creation(byte[] challenge, Owner owner, String humanEmail, List<byte[]> existing) {
        return Json.text(JsonObject.of("challenge", BASE64.encodeToString(challenge))
                .with("rp", JsonObject.of("id", site.host()).with("name", "inboxd"))
                .with(
                        "user",
                        JsonObject.of("id", BASE64.encodeToString(owner.handle()))
                                .with("name", humanEmail)
                                .with("displayName", humanEmail))
                .with(
                        "pubKeyCredParams",
                        ALGORITHMS.stream()
                                .map(algorithm ->
                                        JsonObject.of("type", "public-key").with("alg", algorithm))
                                .toList())
                .with(
                        "excludeCredentials",
                        existing.stream()
                                .map(id -> JsonObject.of("type", "public-key").with("id", BASE64.encodeToString(id)))
                                .toList())
                .with(
                        "authenticatorSelection",
                        JsonObject.of("residentKey", REQUIRED)
                                .with("requireResidentKey", true)
                                .with("userVerification", REQUIRED))
                .with("attestation", "none")
                .with("timeout", MINUTES));
    }

    /** To ask for one, whosever it is. */
    String request(byte[] challenge) {
        return Json.text(JsonObject.of("challenge", BASE64.encodeToString(challenge))
                .with("rpId", site.host())
                .with("userVerification", REQUIRED)
                .with("timeout", MINUTES));
    }
}
