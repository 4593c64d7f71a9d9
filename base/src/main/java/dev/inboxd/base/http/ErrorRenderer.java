package dev.inboxd.base.http;

import dev.inboxd.base.error.ErrorCode;
import dev.inboxd.base.error.Fault;
import dev.inboxd.base.error.Problem;
import dev.inboxd.base.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Renders every error in one JSON form (identity.md §3.1). */
final class ErrorRenderer {
    /** Details that are no members of their own. */
    private static final Set<String> UNTOLD = Set.of(Problem.RETRY_AFTER, Problem.NAME, Problem.STATUS);

    private final String docsUrl;

    /** @param docsUrl the documentation that errors link to, without a slash at the end */
    ErrorRenderer(String docsUrl) {
        this.docsUrl = docsUrl;
    }

    /** Adds the members of a problem to a JSON object. */
    JsonObject json(JsonObject json, Problem problem) {
        ErrorCode code = problem.code();
        json.with("name", problem.details().getOrDefault(Problem.NAME, code.legacyName()))
                .with("code", code.wireName())
                .with("message", problem.message())
                .with("fix", problem.fix())
                .with("docs", docsUrl + "/errors#" + code.wireName());
        if (code.status() == 400) {
            json.with("errors", errors(problem.faults()));
        }
        problem.details().forEach((name, value) -> {
            if (!UNTOLD.contains(name)) {
                json.with(name, value);
            }
        });
        return json;
    }

    /** The answer for a problem. */
    Response render(Problem problem, String requestId) {
        return render(problem, requestId, RouteTable.CHALLENGE);
    }

    /**
     * The answer for a problem.
     *
     * @param challenge of a 401, what the client has to do (RFC 9110 §11.6.1); null where no key would do
     */
    Response render(Problem problem, String requestId, @Nullable String challenge) {
        ErrorCode code = problem.code();
        JsonObject json = json(new JsonObject(), problem);
        Object wait = problem.details().get(Problem.RETRY_AFTER);
        Response response = Response.of(
                problem.details().get(Problem.STATUS) instanceof Integer status ? status : code.status(),
                json.with("request_id", requestId));
        if (wait == null && (code.status() == 429 || code.status() == 503)) {
            wait = 1;
        }
        if (wait != null) {
            response = response.header(Problem.RETRY_AFTER, wait.toString());
        }
        if (code == ErrorCode.UPGRADE_REQUIRED) {
            // RFC 9110 §15.5.22: a 426 names the protocol; §7.8: Upgrade is an option of this connection.
            response = response.header("Upgrade", "websocket").header("Connection", "Upgrade");
        }
        for (Map.Entry<String, String> header : problem.headers()) {
            response = header.getKey().equals(Problem.MEDIA_TYPE)
                    ? response.mediaType(header.getValue())
                    : response.header(header.getKey(), header.getValue());
        }
        return code.status() == 401 && challenge != null ? response.header("WWW-Authenticate", challenge) : response;
    }

    /** The answer for a body beyond its limit. */
    Response tooLarge(BodyLimit limit, String requestId) {
        return limit.bare()
                ? Response.of(413, JsonObject.of("message", "Request Entity Too Large"))
                : render(
                        Problem.of(
                                ErrorCode.PAYLOAD_TOO_LARGE, "The body may have at most " + limit.bytes() + " bytes"),
                        requestId);
    }

    private static List<JsonObject> errors(List<Fault> faults) {
        List<JsonObject> errors = new ArrayList<>(faults.size());
        for (Fault fault : faults) {
            errors.add(JsonObject.of("path", fault.path())
                    .with("message", fault.message())
                    .with("code", fault.code().wireName())
                    .with("expected", fault.expected()));
        }
        return errors;
    }
}
