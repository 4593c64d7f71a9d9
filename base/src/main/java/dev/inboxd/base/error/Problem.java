package dev.inboxd.base.error;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An error that the caller can understand: thrown anywhere, rendered once at the edge. A failure of the server itself
 * (a bug, a lost connection) is any other exception, and the caller gets {@link ErrorCode#INTERNAL_ERROR}.
 */
public final class Problem extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final ErrorCode code;
    private final @Nullable String fix;
    private final transient List<Fault> faults;
    private final transient Map<String, Object> details;
    private transient List<Map.Entry<String, String>> headers = List.of();

    private Problem(
            ErrorCode code, String message, @Nullable String fix, List<Fault> faults, Map<String, Object> details) {
        super(message, null, false, false);
        this.code = code;
        this.fix = fix;
        this.faults = List.copyOf(faults);
        this.details = details;
    }

    /** A problem with the general remedy of its code. */
    public static Problem of(ErrorCode code, String message) {
        return new Problem(code, message, code.fix(), List.of(), Map.of());
    }

    /** A problem with its own remedy. */
    public static Problem of(ErrorCode code, String message, String fix) {
        return new Problem(code, message, fix, List.of(), Map.of());
    }

    /** The answer for a missing, hidden or foreign resource: the same for all three. */
    public static Problem notFound(String kind) {
        return of(ErrorCode.NOT_FOUND, kind + " not found");
    }

    /**
     * A limit that is reached (identity.md §3.1).
     *
     * @param resource what there may be no more of, in the plural
     */
    public static Problem limit(String resource, long most, String message, String fix) {
        return of(ErrorCode.LIMIT_EXCEEDED, message, fix)
                .with("resource", resource)
                .with("limit", most);
    }

    /** All faults of a request in one problem. */
    public static Problem invalid(List<Fault> faults) {
        String message = faults.size() == 1 ? faults.getFirst().message() : faults.size() + " members are invalid";
        return new Problem(ErrorCode.VALIDATION_ERROR, message, ErrorCode.VALIDATION_ERROR.fix(), faults, Map.of());
    }

    /** One invalid member, query parameter or header. */
    public static Problem invalid(String member, String message) {
        return invalid(List.of(Fault.of(member, message)));
    }

    /** The same problem with its own remedy. */
    public Problem withFix(String remedy) {
        return new Problem(code, message(), remedy, faults, details).answeredWith(headers);
    }

    /** The same problem with one more top-level member in its JSON, such as {@code current_revision}. */
    public Problem with(String member, Object value) {
        Map<String, Object> more = new LinkedHashMap<>(details);
        more.put(member, value);
        return new Problem(code, message(), fix, faults, Map.copyOf(more)).answeredWith(headers);
    }

    /** The same problem with one more header field in its answer; ASCII without control characters. */
    public Problem withHeader(String name, String value) {
        List<Map.Entry<String, String>> more = new ArrayList<>(headers);
        more.add(Map.entry(name, value));
        return new Problem(code, message(), fix, faults, details).answeredWith(List.copyOf(more));
    }

    private Problem answeredWith(List<Map.Entry<String, String>> fields) {
        headers = fields;
        return this;
    }

    /** The same problem as JSON of another media type. */
    public Problem withMediaType(String type) {
        return withHeader(MEDIA_TYPE, type);
    }

    /** The header field that {@link #withMediaType} sets. */
    public static final String MEDIA_TYPE = "Content-Type";

    /** The same problem with a time to retry after, in whole seconds. */
    public Problem retryAfter(Duration wait) {
        return with(RETRY_AFTER, Math.max(1, wait.toSeconds()));
    }

    /** The detail that is rendered as the header {@code Retry-After} instead of a member. */
    public static final String RETRY_AFTER = "Retry-After";

    /** The detail that is the status of the answer in place of that of the code. */
    public static final String STATUS = ":status";

    /** The detail that is rendered as {@code name} in place of the code's usual one. */
    public static final String NAME = "name";

    /** The stable code. */
    public ErrorCode code() {
        return code;
    }

    /** The sentence for the caller. */
    public String message() {
        String message = getMessage();
        return message == null ? code.wireName() : message;
    }

    /** The remedy, or null. */
    public @Nullable String fix() {
        return fix;
    }

    /** The invalid members; not empty only with {@link ErrorCode#VALIDATION_ERROR}. */
    public List<Fault> faults() {
        return faults;
    }

    /** Further header fields of the answer, each with its name. */
    public List<Map.Entry<String, String>> headers() {
        return headers;
    }

    /** Further members of the JSON form. */
    public Map<String, Object> details() {
        return details;
    }
}
