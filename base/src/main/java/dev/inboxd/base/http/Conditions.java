package dev.inboxd.base.http;

import dev.inboxd.base.error.ErrorCode;
import dev.inboxd.base.error.Problem;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The conditions of a reading request, on every answer that has an ETag (RFC 9110 §13.1.1, §13.1.2; ruling 148). They
 * come before a range (§13.2.2).
 */
final class Conditions {
    private static final int OK = 200;
    private static final int PARTIAL = 206;
    private static final int UNSATISFIABLE = 416;
    private static final int UNCHANGED = 304;
    /** What describes the content that a 304 has not (§15.4.5). */
    private static final List<String> OF_CONTENT = List.of("Content-Range", "Content-Disposition", "Accept-Ranges");

    private Conditions() {}

    /**
     * The answer that the conditions leave.
     *
     * @throws Problem {@code precondition_failed} when If-Match names another state
     */
    static Response applied(Request request, Response answer) {
        String tag = tag(request, answer);
        if (tag == null) {
            return answer;
        }
        String ifMatch = request.header("If-Match");
        String ifNoneMatch = request.header("If-None-Match");
        if (ifMatch != null && !names(ifMatch, tag, false)) {
            close(answer);
            throw Problem.of(
                    ErrorCode.PRECONDITION_FAILED, "It is not in the state that If-Match names", "Read it again.");
        }
        if (ifNoneMatch == null || !names(ifNoneMatch, tag, true)) {
            return answer;
        }
        close(answer);
        return unchanged(answer);
    }

    private static @Nullable String tag(Request request, Response answer) {
        boolean isFound = answer.status() == OK || answer.status() == PARTIAL || answer.status() == UNSATISFIABLE;
        boolean isReading = request.isHead() || request.route().method().equals("GET");
        for (int i = 0; isFound && isReading && i < answer.headers().size(); i += 2) {
            if (answer.headers().get(i).equals("ETag")) {
                return answer.headers().get(i + 1);
            }
        }
        return null;
    }

    /** Whether a list of tags has this one, or is {@code *}. */
    private static boolean names(String list, String tag, boolean weakly) {
        String opaque = opaque(tag);
        for (String element : list.split(",", -1)) {
            String named = element.strip();
            boolean isSame = weakly ? opaque(named).equals(opaque) : named.equals(tag) && !tag.startsWith("W/");
            if (isSame || named.equals("*")) {
                return true;
            }
        }
        return false;
    }

    private static String opaque(String tag) {
        return tag.startsWith("W/") ? tag.substring(2) : tag;
    }

    private static Response unchanged(Response answer) {
        List<String> headers = new ArrayList<>();
        for (int i = 0; i < answer.headers().size(); i += 2) {
            if (!OF_CONTENT.contains(answer.headers().get(i))) {
                headers.add(answer.headers().get(i));
                headers.add(answer.headers().get(i + 1));
            }
        }
        return new Response(UNCHANGED, new Response.Body.None(), headers);
    }

    private static void close(Response answer) {
        if (answer.body() instanceof Response.Body.Stream stream) {
            try {
                stream.content().close();
            } catch (IOException failed) {
                throw new UncheckedIOException(failed);
            }
        }
    }
}
