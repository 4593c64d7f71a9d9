package dev.inboxd.web.oauth;

import com.nimbusds.oauth2.sdk.util.URLUtils;
import dev.inboxd.base.http.Request;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The parameters of an OAuth request, from a query or a form (RFC 6749 Appendix B). */
public final class OAuthParameters {
    private final Map<String, List<String>> all;

    /** RFC 6749 §3.1, §3.2: a parameter without a value counts as left out. */
    private OAuthParameters(Map<String, List<String>> received) {
        Map<String, List<String>> valued = new HashMap<>();
        received.forEach((name, values) -> {
            List<String> nonEmpty =
                    values.stream().filter(value -> !value.isEmpty()).toList();
            if (!nonEmpty.isEmpty()) {
                valued.put(name, nonEmpty);
            }
        });
        all = Map.copyOf(valued);
    }

    /** Those of the query. */
    public static OAuthParameters ofQuery(Request request) {
        return new OAuthParameters(URLUtils.parseParameters(request.rawQuery()));
    }

    /** Those of a form. */
    public static OAuthParameters ofForm(Request request) {
        return new OAuthParameters(URLUtils.parseParameters(new String(request.octets(), StandardCharsets.ISO_8859_1)));
    }

    /** A parameter; null when it is missing or empty. */
    public @Nullable String first(String name) {
        List<String> values = all(name);
        return values.isEmpty() ? null : values.getFirst();
    }

    /** All values of a parameter that may stand several times. */
    public List<String> all(String name) {
        return all.getOrDefault(name, List.of());
    }

    public boolean has(String name) {
        return all.containsKey(name);
    }

    public boolean isRepeated(String name) {
        return all(name).size() > 1;
    }

    /**
     * Those that stand more than once (RFC 6749 §3.1: they must not), in the order of the alphabet.
     *
     * @param read the parameters that mean something to the reader; what is passed over may stand as often as it likes
     */
    public List<String> repeated(Set<String> read) {
        return all.keySet().stream()
                .filter(name -> read.contains(name) && isRepeated(name))
                .sorted()
                .toList();
    }
}
