package dev.inboxd.platform.log;

/** The form of the log's lines. */
public enum LogFormat {
    /** For eyes: {@code time level event name=value …}. */
    TEXT,
    /** For machines: one JSON object a line. */
    JSON
}
