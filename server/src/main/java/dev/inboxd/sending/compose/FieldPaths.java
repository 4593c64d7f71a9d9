package dev.inboxd.sending.compose;

import dev.inboxd.base.error.Fault;
import dev.inboxd.base.error.Problem;
import dev.inboxd.mail.compose.MalformedFieldException;
import java.util.ArrayList;
import java.util.List;

/**
 * Turns a field error of the composer into a fault of the request: {@code attachments[0].filename} is a path of three
 * steps.
 */
public final class FieldPaths {
    private static final String HEADER = "headers.";

    private FieldPaths() {}

    public static Problem refusal(MalformedFieldException malformed) {
        String field = malformed.field();
        List<Object> path =
                field.startsWith(HEADER) ? List.of("headers", field.substring(HEADER.length())) : path(field);
        return Problem.invalid(List.of(new Fault(path, path.getLast() + " " + malformed.reason())));
    }

    private static List<Object> path(String field) {
        List<Object> path = new ArrayList<>();
        for (String step : field.split("\\.", -1)) {
            int open = step.indexOf('[');
            path.add(open < 0 ? step : step.substring(0, open));
            if (open >= 0) {
                path.add(Integer.valueOf(step.substring(open + 1, step.length() - 1)));
            }
        }
        return path;
    }
}
