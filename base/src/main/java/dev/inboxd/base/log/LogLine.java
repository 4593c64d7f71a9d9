package dev.inboxd.base.log;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.spi.LoggingEventBuilder;

/** One canonical line of the log: an event and its fields in order. A null field is left out. */
public final class LogLine {
    /** The logger of canonical lines; its name is not shown. */
    static final String LOGGER = "inboxd";

    private static final Logger LOG = LoggerFactory.getLogger(LOGGER);

    private final String event;
    private LoggingEventBuilder line = LOG.atInfo();

    private LogLine(String event) {
        this.event = event;
    }

    /** Begins a line for an event such as {@code request}, {@code message} or {@code delivery}. */
    public static LogLine of(String event) {
        return new LogLine(event);
    }

    /** Adds a field; any value but a number or a boolean is written as text. */
    public LogLine with(String name, @Nullable Object value) {
        if (value != null) {
            line = line.addKeyValue(name, value);
        }
        return this;
    }

    /** Writes the line. */
    public void write() {
        line.log(event);
    }
}
