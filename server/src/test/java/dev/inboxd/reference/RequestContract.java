package dev.inboxd.reference;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Holds what a client sent and a server took against the description: the members of the body, and the names in the
 * query. What is refused is not held: a test may send anything to see that.
 */
public final class RequestContract {
    private static final Set<String> FORMS = Set.of("application/x-www-form-urlencoded", "multipart/form-data");

    private RequestContract() {}

    /**
     * A request that was answered with 2xx.
     *
     * @param line method and path, with its query
     * @param mediaType of its body, without parameters
     * @param body what it had; null for none
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    public record Sent(String line, String mediaType, byte @Nullable [] body) {}

    /** What of a request the description does not have; empty when all is well. */
    public static String fault(Sent sent) {
        int space = sent.line.indexOf(' ');
        String[] target = sent.line.substring(space + 1).split("[?]", 2);
        Map<?, ?> operation = ResponseContract.operation(sent.line.substring(0, space), target[0]);
        if (operation == null) {
            return "";
        }
        Set<String> unknown = new TreeSet<>();
        if (target.length > 1) {
            for (String pair : target[1].split("&", -1)) {
                unknown.add(URLDecoder.decode(pair.replaceFirst("=.*", ""), StandardCharsets.UTF_8));
            }
        }
        unknown.remove("");
        unknown.removeIf(name -> isParameter(operation, name));
        return unknown.isEmpty() ? body(operation, sent) : "the query has " + unknown + ", which is not described";
    }

    private static boolean isParameter(Map<?, ?> operation, String name) {
        return operation.get("parameters") instanceof List<?> list
                && list.stream()
                        .anyMatch(each -> each instanceof Map<?, ?> parameter
                                && "query".equals(parameter.get("in"))
                                && name.equals(parameter.get("name")));
    }

    private static String body(Map<?, ?> operation, Sent sent) {
        byte[] body = sent.body;
        if (body == null || isEmpty(body)) {
            return "";
        }
        Object described = ResponseContract.resolved(operation.get("requestBody"));
        if (!(described instanceof Map<?, ?> request)) {
            // Forms of standards (OpenID Connect, RFC 8058) are named in words alone.
            return FORMS.contains(sent.mediaType) ? "" : "a body is not described";
        }
        Map<?, ?> content = ResponseContract.map(request, "content");
        if (!content.containsKey(sent.mediaType)) {
            return "a body of the media type " + sent.mediaType + " is not described";
        }
        Map<?, ?> media = ResponseContract.map(content, sent.mediaType);
        return sent.mediaType.equals("application/json") ? ResponseContract.fault(media.get("schema"), body) : "";
    }

    /** An absent body and an object without members are the same. */
    private static boolean isEmpty(byte[] body) {
        return body.length == 0 || new String(body, StandardCharsets.UTF_8).matches("\\s*([{]\\s*[}])?\\s*");
    }
}
