package dev.inboxd.base.http;

import java.util.ArrayList;
import java.util.List;

/** What a page token is bound to: the token of one list opens no page of another. */
final class PageWalk {
    private PageWalk() {}

    /**
     * The walk of a list request, with the filters that were read so far.
     *
     * @param segments of its path
     * @param view what the caller sees, as text
     */
    static List<String> of(Request request, List<String> segments, String view, boolean ascending) {
        List<String> walk = new ArrayList<>(segments);
        walk.add(request.route().method());
        walk.add(view);
        walk.add(Boolean.toString(ascending));
        request.query().filters().forEach((name, value) -> {
            walk.add(name);
            walk.add(value);
        });
        return walk;
    }
}
