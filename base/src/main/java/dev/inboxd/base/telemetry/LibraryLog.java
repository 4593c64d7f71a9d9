package dev.inboxd.base.telemetry;

import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.slf4j.LoggerFactory;

/** Warnings of a library that logs to Java's own log, as lines of ours. Its words have no data of users. */
final class LibraryLog extends Handler {
    private static final org.slf4j.Logger LOG = LoggerFactory.getLogger(LibraryLog.class);

    /** Held, because Java itself holds its loggers only weakly. */
    private final Logger logger;

    private LibraryLog(Logger logger) {
        this.logger = logger;
    }

    /** Takes what loggers of that prefix log from now on. */
    static LibraryLog take(String prefix) {
        Logger logger = Logger.getLogger(prefix);
        LibraryLog log = new LibraryLog(logger);
        logger.setUseParentHandlers(false);
        logger.addHandler(log);
        return log;
    }

    @Override
    public void publish(LogRecord line) {
        if (line.getLevel().intValue() >= Level.WARNING.intValue()) {
            LOG.warn("telemetry not sent: {}", line.getMessage());
        }
    }

    @Override
    public void flush() {}

    /** Gives the loggers back. */
    @Override
    public void close() {
        logger.removeHandler(this);
        logger.setUseParentHandlers(true);
    }
}
