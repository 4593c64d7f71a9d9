package dev.inboxd.reference;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/**
 * The documents that describe the API. Each is read when it is first asked for, because a server that nobody asks for
 * its description starts without it.
 */
public final class ApiDescription {
    private ApiDescription() {}

    private static final class OpenApi {
        static final Map<String, @Nullable Object> DOCUMENT = read(text("api.yaml"));
    }

    private static final class AsyncApi {
        static final Map<String, @Nullable Object> DOCUMENT = read(text("events.yaml"));
    }

    /** The calls and the webhooks (OpenAPI 3.1): objects as maps in their order, lists, strings, numbers, booleans. */
    public static Map<String, @Nullable Object> openApi() {
        return OpenApi.DOCUMENT;
    }

    /** The frames of the WebSocket (AsyncAPI 3), in the same form. */
    public static Map<String, @Nullable Object> asyncApi() {
        return AsyncApi.DOCUMENT;
    }

    /**
     * A document for the clients of one server.
     *
     * @param version of this program
     * @param servers its addresses, as the form of the document has them
     */
    static Map<String, @Nullable Object> of(Map<String, @Nullable Object> document, String version, Object servers) {
        Map<String, @Nullable Object> own = new LinkedHashMap<>(document);
        Map<String, @Nullable Object> info = new LinkedHashMap<>();
        if (document.get("info") instanceof Map<?, ?> described) {
            described.forEach((name, value) -> info.put(String.valueOf(name), value));
        }
        info.put("version", version);
        own.put("info", info);
        own.put("servers", servers);
        return own;
    }

    /** A file of the documentation, as it is in this build. */
    static String text(String name) {
        try (InputStream file = ApiDescription.class.getResourceAsStream(name)) {
            if (file == null) {
                throw new IllegalStateException(name + " is missing in this build");
            }
            return new String(file.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    /** A document in YAML 1.2. */
    static Map<String, @Nullable Object> read(String yaml) {
        Map<String, @Nullable Object> document = new LinkedHashMap<>();
        if (new Load(LoadSettings.builder().build()).loadFromString(yaml) instanceof Map<?, ?> read) {
            read.forEach((member, value) -> document.put(String.valueOf(member), value));
        }
        return document;
    }

    /** The addresses of one HTTP server, in the form of OpenAPI. */
    static List<Map<String, String>> servers(String url) {
        return List.of(Map.of("url", url, "description", "This server"));
    }
}
