package dev.inboxd.web.oauth;

import com.nimbusds.oauth2.sdk.util.URLUtils;
import dev.inboxd.base.http.Request;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The parameters of an OAuth request, from a query or a form (RFC 6749 Appendix B). */
public final class OAuthParameters {
    private final Map<String, List<String>> all;

    private OAuthParameters(Map<String, List<String>> all) {
        this.all = all;
    }

    /** Those of the query. */
    public static OAuthParameters ofQuery(Request request) {
        return new OAuthParameters(URLUtils.parseParameters(request.rawQuery()));
    }

    /** Those of a form. */
    public static OAuthParameters ofForm(Request request) {
        return new OAuthParameters(URLUtils.parseParameters(new String(request.octets(), StandardCharsets.ISO_8859_1)));
    }

    /** A parameter; null when it is missing or empty (RFC 6749 §3.1: without a value it counts as left out). */
    public @Nullable String one(String name) {
        List<String> values = all.getOrDefault(name, List.of());
        return values.isEmpty() || values.getFirst().isEmpty() ? null : values.getFirst();
    }

    public boolean has(String name) {
        return all.containsKey(name);
    }

    public boolean isRepeated(String name) {
        return all.getOrDefault(name, List.of()).size() > 1;
    }

    /** The parameters that stand more than once (RFC 6749 §3.1: they must not). */
    public Set<String> repeated() {
        return all.keySet().stream().filter(this::isRepeated).collect(Collectors.toSet());
    }
}
