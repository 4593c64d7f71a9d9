package dev.inboxd.base.error;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * One fault of a request.
 *
 * @param path member names and list positions from the outside in; empty for the whole body
 * @param message the fault and what would be correct, in one sentence
 * @param code the kind of fault, for programs
 * @param expected what would be correct, as a phrase; null when no phrase says it
 */
public record Fault(
        List<Object> path,
        String message,
        Code code,
        @Nullable String expected) {
    /** The kinds of faults. Programs branch on them, so a name stays. */
    public enum Code {
        /** It is missing. */
        REQUIRED,
        /** It is of another JSON type. */
        INVALID_TYPE,
        /** It does not have the form of what it should be, such as a time. */
        INVALID_FORMAT,
        /** It is not allowed, for any other reason. */
        INVALID_VALUE,
        /** It is too long, too large or too many. */
        TOO_BIG,
        /** It is too short, too small or too few. */
        TOO_SMALL,
        /** It has no such name here. */
        UNKNOWN_NAME;

        /** The code in JSON. */
        public String wireName() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    public Fault {
        path = List.copyOf(path);
    }

    /** A value that is not allowed. */
    public Fault(List<Object> path, String message) {
        this(path, message, Code.INVALID_VALUE, null);
    }

    /** A fault of one top-level member, query parameter or header. */
    public static Fault of(String member, String message) {
        return new Fault(List.of(member), message);
    }

    /** The same fault of this kind. */
    public Fault as(Code kind) {
        return new Fault(path, message, kind, expected);
    }

    /** The same fault of this kind, with what would be correct. */
    public Fault as(Code kind, String correct) {
        return new Fault(path, message, kind, correct);
    }

    /** The path with one more step. */
    public static List<Object> join(List<Object> path, Object last) {
        List<Object> longer = new ArrayList<>(path);
        longer.add(last);
        return longer;
    }
}
