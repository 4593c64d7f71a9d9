package dev.inboxd.platform.error;

import java.util.List;

/**
 * One fault of a request.
 *
 * @param path member names and list positions from the outside in; empty for the whole body
 * @param message the fault and what would be correct, in one sentence
 */
public record Fault(List<Object> path, String message) {
    public Fault {
        path = List.copyOf(path);
    }

    /** A fault of one top-level member, query parameter or header. */
    public static Fault of(String member, String message) {
        return new Fault(List.of(member), message);
    }
}
