package dev.inboxd.app.registry;

import dev.inboxd.base.id.Digests;
import dev.inboxd.base.json.JsonBody;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Reads the secrets of an app, which are named in one of three ways. They are kept as SHA-256 in hexadecimal.
 *
 * @param name of the member
 * @param item which of its items
 */
record SecretFields(JsonBody body, String name, int item) {
    private static final List<String> NAMES = List.of("client_secret", "client_secret_env", "client_secret_sha256");
    private static final int LONGEST = 512;
    private static final int MOST = 2;

    /**
     * The digests of the secrets that a body names.
     *
     * @return null when it names none
     */
    static @Nullable List<String> read(
            JsonBody body, App.ClientAuthMethod method, UnaryOperator<@Nullable String> environment) {
        List<String> named = NAMES.stream()
                .filter(name -> body.has(name) && !body.isNull(name))
                .toList();
        if (named.isEmpty()) {
            return null;
        }
        String name = named.getFirst();
        named.stream().skip(1).forEach(more -> body.fault(more, more + " and " + name + " exclude each other"));
        if (method == App.ClientAuthMethod.NONE) {
            body.fault(name, "an app with token_endpoint_auth_method none has no secret");
        }
        List<String> secrets = body.strings(name).min(1).max(LONGEST).most(MOST).required();
        return Stream.iterate(0, i -> i < secrets.size(), i -> i + 1)
                .map(i -> new SecretFields(body, name, i).digest(secrets.get(i), environment))
                .distinct()
                .toList();
    }

    private String digest(String secret, UnaryOperator<@Nullable String> environment) {
        return switch (name) {
            case "client_secret_sha256" -> {
                if (secret.length() != 64 || !secret.chars().allMatch(HexFormat::isHexDigit)) {
                    body.fault(name, item, name + " must be a SHA-256 in 64 hexadecimal digits");
                }
                yield secret.toLowerCase(Locale.ROOT);
            }
            case "client_secret_env" -> {
                String value = environment.apply(secret);
                if (value == null || value.isEmpty()) {
                    body.fault(name, item, "the environment variable " + secret + " is not set");
                }
                yield hex(Objects.requireNonNullElse(value, ""));
            }
            default -> hex(secret);
        };
    }

    /** The digest of a secret. */
    static String hex(String secret) {
        return HexFormat.of().formatHex(Digests.sha256(secret));
    }
}
