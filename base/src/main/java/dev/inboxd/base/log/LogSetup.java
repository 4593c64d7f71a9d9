package dev.inboxd.base.log;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.Configurator;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.spi.ContextAwareBase;
import java.util.function.UnaryOperator;

/**
 * Sends every log line, of this program and of libraries, to standard output in one format. Logback loads it as a
 * service.
 */
public final class LogSetup extends ContextAwareBase implements Configurator {
    private static volatile LogFormat format = LogFormat.TEXT;
    private static volatile UnaryOperator<String> addresses = UnaryOperator.identity();

    /** For logback's service loader. */
    public LogSetup() {}

    /** Sets the format of all lines from now on. */
    public static void use(LogFormat newFormat) {
        format = newFormat;
    }

    /** Sets how the email addresses in all lines from now on are shown: as they are, or by an {@link AddressHash}. */
    public static void showAddresses(UnaryOperator<String> newAddresses) {
        addresses = newAddresses;
    }

    /** An account as it is written to lines: as it is, or as a hash where addresses are. */
    public static String shownAccount(String account) {
        return addresses instanceof AddressHash hash ? hash.account(account) : account;
    }

    @Override
    public ExecutionStatus configure(LoggerContext context) {
        LineEncoder encoder = new LineEncoder(() -> format, () -> addresses);
        encoder.setContext(context);
        encoder.start();
        ConsoleAppender<ILoggingEvent> console = new ConsoleAppender<>();
        console.setContext(context);
        console.setEncoder(encoder);
        console.start();
        Logger root = context.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
        root.setLevel(Level.WARN);
        root.addAppender(console);
        context.getLogger(LogLine.LOGGER).setLevel(Level.INFO);
        context.getLogger("dev.inboxd").setLevel(Level.INFO);
        // Jetty's parser warns of some malformed requests; the request's own log line reports them already.
        context.getLogger("org.eclipse.jetty.http.HttpParser").setLevel(Level.ERROR);
        return ExecutionStatus.DO_NOT_INVOKE_NEXT_IF_ANY;
    }
}
