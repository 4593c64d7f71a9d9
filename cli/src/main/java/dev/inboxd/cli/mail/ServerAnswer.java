package dev.inboxd.cli.mail;

import dev.inboxd.base.error.Problem;
import dev.inboxd.base.json.Json;
import dev.inboxd.base.json.JsonTree;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What the server answered.
 *
 * @param status of HTTP
 * @param type media type of the body; empty for none
 * @param again when it is worth another attempt
 * @param location where it leads to; null for nowhere
 * @param body the body
 */
@SuppressWarnings("ArrayRecordComponent") // nobody compares answers
record ServerAnswer(
        int status, String type, Duration again, @Nullable String location, byte[] body) {
    boolean isJson() {
        return type.startsWith("application/json") || type.contains("+json");
    }

    /** The body as JSON; nothing when it is none. */
    JsonTree json() {
        try {
            return isJson() ? JsonTree.of(body) : JsonTree.EMPTY;
        } catch (Problem malformed) {
            return JsonTree.EMPTY;
        }
    }

    boolean isRefusal() {
        return status >= 400;
    }

    /** Whether the same call may be answered otherwise later. */
    boolean isTemporary() {
        return status == 429 || status >= 500;
    }

    /** The status of the process, and the error in words or, as the server gave it, as JSON. */
    CommandFailure failure(boolean asJson) {
        int exit = status >= 500 ? CommandFailure.SERVER : CommandFailure.REFUSED;
        JsonTree error = json();
        if (!error.has("code")) {
            return new CommandFailure(exit, "the server answered " + status + " without saying why");
        }
        if (asJson) {
            return new CommandFailure(exit, JsonOutput.safe(Json.text(error.value())));
        }
        StringBuilder words = new StringBuilder(error.text("message"));
        words.append(" (")
                .append(error.text("code"))
                .append(", ")
                .append(status)
                .append(')');
        for (JsonTree fault : error.list("errors")) {
            words.append("\n  ")
                    .append(String.join(".", fault.texts("path")))
                    .append(": ")
                    .append(fault.text("message"));
        }
        if (error.has("fix")) {
            words.append("\n  ").append(error.text("fix"));
        }
        words.append("\n  request ").append(error.text("request_id"));
        return new CommandFailure(exit, TextTable.visible(words.toString()));
    }
}
