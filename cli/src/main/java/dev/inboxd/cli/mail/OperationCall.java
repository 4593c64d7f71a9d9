package dev.inboxd.cli.mail;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A call with its values.
 *
 * @param path with the query, percent-encoded
 * @param headers fields besides those of the key and the media type
 * @param media type of the body
 * @param body what is sent; null for none
 * @param isOpen whether it takes no key
 */
record OperationCall(
        String method,
        String path,
        Map<String, String> headers,
        String media,
        @Nullable String body,
        boolean isOpen) {

    /** A reading call without a body. */
    static OperationCall get(String path) {
        return new OperationCall("GET", path, Map.of(), "", null, false);
    }

    /** A part of a path, or a value of a query, percent-encoded. */
    static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }

    /** The same with another value of a parameter of its query. */
    OperationCall with(String parameter, String value) {
        StringBuilder changed = new StringBuilder();
        int start = path.indexOf('?');
        for (String pair : start < 0 ? new String[0] : path.substring(start + 1).split("&")) {
            if (!pair.startsWith(parameter + "=")) {
                changed.append(changed.isEmpty() ? "" : "&").append(pair);
            }
        }
        changed.append(changed.isEmpty() ? "" : "&")
                .append(parameter)
                .append('=')
                .append(encoded(value));
        String bare = start < 0 ? path : path.substring(0, start);
        return new OperationCall(method, bare + "?" + changed, headers, media, body, isOpen);
    }

    /**
     * The command that makes this call with curl. The key stays in its variable.
     *
     * @param server its address
     */
    String curl(String server) {
        StringBuilder command = new StringBuilder("curl");
        if (!method.equals("GET")) {
            command.append(" -X ").append(method);
        }
        command.append(' ').append(quoted(server + path));
        if (!isOpen) {
            command.append(" \\\n  -H \"Authorization: Bearer $")
                    .append(MailClient.KEY)
                    .append('"');
        }
        headers.forEach((name, value) -> command.append(" \\\n  -H ").append(quoted(name + ": " + value)));
        if (body != null) {
            command.append(" \\\n  -H ").append(quoted("Content-Type: " + media));
            command.append(" \\\n  --data-raw ").append(quoted(body));
        }
        return command.toString();
    }

    private static String quoted(String text) {
        return "'" + text.replace("'", "'\\''") + "'";
    }
}
