package dev.inboxd.account.oauth;

import dev.inboxd.base.error.Problem;
import dev.inboxd.base.json.Json;
import dev.inboxd.base.json.JsonObject;
import dev.inboxd.base.vault.Vault;
import dev.inboxd.web.oauth.OAuthError;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Who asks to be let in. A client registers (RFC 7591), or its client_id is the address of a document about it. Neither
 * leaves a row: what was registered is the sealed client_id itself, so nobody can fill the database with clients.
 */
public final class OAuthClients {
    private static final String PURPOSE = "oauth clients";
    private static final String PREFIX = "client_";
    private static final int MOST_URIS = 10;
    private static final int MOST_OCTETS = 1_500;
    private static final int LONGEST_ID = 4_096;
    private static final String CODE = "authorization_code";

    private final Vault vault;
    private final ClientDocuments documents;
    private final InstantSource clock;

    OAuthClients(Vault vault, ClientDocuments documents, InstantSource clock) {
        this.vault = vault;
        this.documents = documents;
        this.clock = clock;
    }

    /**
     * The client of an id; may fetch its document.
     *
     * @throws Problem {@code validation_error} when there is none
     */
    public OAuthClient client(@Nullable String id) {
        if (id == null || id.length() > LONGEST_ID) {
            throw Problem.invalid("client_id", "client_id is missing, or longer than any that is given here");
        }
        return id.startsWith(PREFIX) ? registered(id) : documents.client(id);
    }

    private OAuthClient registered(String id) {
        Map<?, ?> members;
        try {
            byte[] plain = vault.open(PURPOSE, Base64.getUrlDecoder().decode(id.substring(PREFIX.length())));
            members = (Map<?, ?>) java.util.Objects.requireNonNull(Json.parse(plain));
        } catch (IllegalArgumentException | Vault.KeyException foreign) {
            throw Problem.invalid("client_id", "client_id was not given by this server");
        }
        return new OAuthClient(id, OAuthClient.shown(members.get("name")), null, uris(members.get("uris")));
    }

    /**
     * Registers a client (RFC 7591 §3.1).
     *
     * @return what the client is told (§3.2.1)
     * @throws OAuthError when it cannot be
     */
    JsonObject register(byte[] request) {
        Map<?, ?> metadata = members(request);
        List<RedirectUri> uris = uris(metadata.get("redirect_uris"));
        if (uris.isEmpty()) {
            throw new OAuthError(
                    400,
                    "invalid_redirect_uri",
                    "redirect_uris must be 1 to 10 addresses: https, http on 127.0.0.1, [::1] or localhost,"
                            + " or a scheme of the program's own with a path");
        }
        if (lacks(metadata.get("grant_types"), CODE) || lacks(metadata.get("response_types"), "code")) {
            throw new OAuthError(400, "invalid_client_metadata", "Only the grant " + CODE + " with code is given here");
        }
        String name = OAuthClient.shown(metadata.get("client_name"));
        List<String> texts = uris.stream().map(RedirectUri::text).toList();
        byte[] plain = Json.write(JsonObject.of("name", name).with("uris", texts));
        if (plain.length > MOST_OCTETS) {
            throw new OAuthError(400, "invalid_client_metadata", "Name and redirect_uris are too long together");
        }
        String id = PREFIX + Base64.getUrlEncoder().withoutPadding().encodeToString(vault.seal(PURPOSE, plain));
        return JsonObject.of("client_id", id)
                .with("client_id_issued_at", clock.instant().getEpochSecond())
                .with("client_name", name)
                .with("redirect_uris", texts)
                .with("token_endpoint_auth_method", "none")
                .with("grant_types", List.of(CODE))
                .with("response_types", List.of("code"));
    }

    private static Map<?, ?> members(byte[] request) {
        try {
            if (Json.parse(request) instanceof Map<?, ?> members) {
                return members;
            }
        } catch (Problem noJson) {
            // said below
        }
        throw new OAuthError(400, "invalid_client_metadata", "The body must be a JSON object");
    }

    private static boolean lacks(@Nullable Object list, String word) {
        return list != null && !(list instanceof List<?> words && words.contains(word));
    }

    /** The addresses of a list; empty when it is none, or when one of them is refused. */
    static List<RedirectUri> uris(@Nullable Object list) {
        if (!(list instanceof List<?> texts) || texts.size() > MOST_URIS) {
            return List.of();
        }
        List<RedirectUri> uris = new ArrayList<>();
        for (Object text : texts) {
            RedirectUri uri = text instanceof String uriText ? RedirectUri.of(uriText) : null;
            if (uri == null) {
                return List.of();
            }
            uris.add(uri);
        }
        return uris;
    }
}
