package dev.inboxd.console.session;

import dev.inboxd.base.http.LocalCall;
import dev.inboxd.base.http.Response;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The address of a page of the console, with what it says about the change that led there. */
final class PageAddress {
    private final StringBuilder text;
    private boolean hasQuery;

    /**
     * Of a page.
     *
     * @param path from the root of the server, its segments encoded
     */
    PageAddress(String path) {
        text = new StringBuilder(path);
    }

    /** With a parameter, which is encoded here. */
    PageAddress with(String name, String value) {
        return append(name + '=' + LocalCall.encoded(value));
    }

    /** With several. */
    PageAddress with(Map<String, String> values) {
        values.forEach(this::with);
        return this;
    }

    /** With the parameters of a query but for those of an earlier change. */
    PageAddress withQuery(@Nullable String query) {
        if (query != null) {
            for (String pair : query.split("&", -1)) {
                int equals = pair.indexOf('=');
                if (equals > 0 && !NoteWords.NAMES.contains(pair.substring(0, equals))) {
                    append(pair);
                }
            }
        }
        return this;
    }

    private PageAddress append(String pair) {
        text.append(hasQuery ? '&' : '?').append(pair);
        hasQuery = true;
        return this;
    }

    /** The answer that leads there, by which a reload repeats nothing. */
    Response redirect() {
        return Response.ok().status(303).header("Location", text.toString());
    }
}
