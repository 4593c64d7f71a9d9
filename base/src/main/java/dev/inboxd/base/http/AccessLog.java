package dev.inboxd.base.http;

import dev.inboxd.base.access.Caller;
import dev.inboxd.base.access.Gate;
import dev.inboxd.base.log.LogLine;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The line of the log about a request. It has the path, never the query, and no part of the path that lets anybody in:
 * what stands in a public link, and whatever looks like a key or token where no route is known.
 */
final class AccessLog {
    private static final String HIDDEN = "…";
    private static final int LONGEST_PATH = 400;
    /** Ids that people write are words, UUIDs and addresses; tokens are longer than words. */
    private static final int LONGEST_WORD = 20;

    private static final int UUID_LENGTH = 36;
    private static final List<String> SECRETS = List.of("inb_", "whsec_", "auto_v", "clm_");

    private AccessLog() {}

    /**
     * How a request ended.
     *
     * @param written whether the whole answer was
     */
    record Result(int status, long millis, boolean written) {}

    /** Begins the line. */
    static LogLine line(Exchange exchange, @Nullable Route route) {
        return LogLine.of("request")
                .with("method", route == null ? null : exchange.method())
                .with("route", route == null ? "none" : route.template())
                .with("path", path(exchange.rawPath(), route));
    }

    /** Adds who called. */
    static LogLine caller(LogLine line, @Nullable Caller caller) {
        return caller == null
                ? line
                : line.with("api_key_id", caller.apiKeyId())
                        .with(
                                "session_id",
                                caller.apiKeyId() == null ? caller.credential().id() : null)
                        .with("organization_id", caller.organization());
    }

    /** The path as received, with its secrets hidden. */
    static String path(String raw, @Nullable Route route) {
        List<String> template =
                route == null ? List.of() : List.of(route.template().split("/", -1));
        List<String> shown = new ArrayList<>();
        for (String segment : raw.split("/", -1)) {
            int at = shown.size();
            shown.add(isShown(segment, route, at < template.size() ? template.get(at) : "") ? segment : HIDDEN);
        }
        String path = String.join("/", shown);
        return path.length() > LONGEST_PATH ? path.substring(0, LONGEST_PATH) + HIDDEN : path;
    }

    private static boolean isShown(String segment, @Nullable Route route, String template) {
        if (SECRETS.stream().anyMatch(segment::contains)) {
            return false;
        }
        if (route != null) {
            return route.access() != Gate.PUBLIC || !Route.isParameter(template);
        }
        return segment.length() <= LONGEST_WORD || segment.contains("@") || segment.contains("%40") || isUuid(segment);
    }

    private static boolean isUuid(String segment) {
        return segment.length() == UUID_LENGTH
                && segment.chars().allMatch(c -> c == '-' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'));
    }
}
