package dev.inboxd.base.log;

/** Format of the log's lines. */
public enum LogFormat {
    /** For people: {@code time level event name=value …}. */
    TEXT,
    /** For programs: one JSON object a line. */
    JSON
}
