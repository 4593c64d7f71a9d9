package dev.inboxd.mail.link;

import dev.inboxd.mail.url.UrlEncoding;
import dev.inboxd.mail.url.WebAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * A member of a query.
 *
 * @param text as it stands there
 * @param name decoded, in lower case
 * @param value as it stands there; empty without one
 */
record QueryMember(String text, String name, String value) {
    private static final String ESCAPED_TWICE = "amp;";

    /** Those of an address, in their order. */
    static List<QueryMember> of(WebAddress address) {
        List<QueryMember> members = new ArrayList<>();
        String query = address.query();
        for (int start = 1; start < query.length() + 1 && !query.isEmpty(); ) {
            int and = query.indexOf('&', start);
            int end = and < 0 ? query.length() : and;
            members.add(of(query.substring(start, end)));
            start = end + 1;
        }
        return members;
    }

    private static QueryMember of(String text) {
        int equals = text.indexOf('=');
        String name = UrlEncoding.decoded(equals < 0 ? text : text.substring(0, equals));
        String bare = name.startsWith(ESCAPED_TWICE) ? name.substring(ESCAPED_TWICE.length()) : name;
        return new QueryMember(text, bare.toLowerCase(Locale.ROOT), equals < 0 ? "" : text.substring(equals + 1));
    }
}
