package dev.inboxd.console.session;

import dev.inboxd.base.error.Problem;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** The fields of a form (application/x-www-form-urlencoded), in their order. */
public final class PageForm {
    private static final int MOST_FIELDS = 200;

    private final List<String> pairs = new ArrayList<>();

    /**
     * Reads a body.
     *
     * @throws Problem {@code validation_error} for what no browser sends
     */
    PageForm(byte[] body) {
        for (String pair : new String(body, StandardCharsets.UTF_8).split("&", MOST_FIELDS + 1)) {
            int equals = pair.indexOf('=');
            if (equals < 0) {
                continue;
            }
            if (pairs.size() >= 2 * MOST_FIELDS) {
                throw Problem.invalid("form", "The form has too many fields");
            }
            pairs.add(decoded(pair.substring(0, equals)));
            pairs.add(decoded(pair.substring(equals + 1)));
        }
    }

    private static String decoded(String text) {
        try {
            // U+0000 cannot be stored
            return URLDecoder.decode(text, StandardCharsets.UTF_8).replace("\0", "");
        } catch (IllegalArgumentException broken) {
            throw Problem.invalid("form", "The form is not encoded as a browser does it");
        }
    }

    /** The first value of a field, without spaces around it; empty when there is none. */
    public String text(String name) {
        List<String> all = all(name);
        return all.isEmpty() ? "" : all.getFirst().strip();
    }

    /** The first value of a field of many lines, whose ends a browser sends as CR LF (HTML §4.10.21.7). */
    public String multiline(String name) {
        List<String> all = all(name);
        return all.isEmpty() ? "" : all.getFirst().replace("\r\n", "\n").replace('\r', '\n');
    }

    /** All values of a field. */
    public List<String> all(String name) {
        List<String> values = new ArrayList<>();
        for (int i = 0; i < pairs.size(); i += 2) {
            if (pairs.get(i).equals(name)) {
                values.add(pairs.get(i + 1));
            }
        }
        return values;
    }
}
