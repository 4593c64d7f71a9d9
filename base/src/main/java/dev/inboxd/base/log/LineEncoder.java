package dev.inboxd.base.log;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.encoder.EncoderBase;
import dev.inboxd.base.json.Timestamps;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.slf4j.event.KeyValuePair;

/**
 * Encodes a log event as one line of printable ASCII. All other characters, line ends and terminal controls above all,
 * are escaped as in JSON, so that no value can end its line or look like another field.
 */
final class LineEncoder extends EncoderBase<ILoggingEvent> {
    private static final int LONGEST_VALUE = 2_000;
    private static final int LONGEST_TRACE = 16_000;

    private final Supplier<LogFormat> format;
    private final Supplier<UnaryOperator<String>> addresses;

    /**
     * An encoder of lines.
     *
     * @param addresses applied to every text, since any of them may hold the address of a person
     */
    LineEncoder(Supplier<LogFormat> format, Supplier<UnaryOperator<String>> addresses) {
        this.format = format;
        this.addresses = addresses;
    }

    @Override
    public byte[] headerBytes() {
        return new byte[0];
    }

    @Override
    public byte[] footerBytes() {
        return new byte[0];
    }

    @Override
    public byte[] encode(ILoggingEvent event) {
        StringBuilder line = new StringBuilder(320);
        switch (format.get()) {
            case JSON -> json(line, event);
            case TEXT -> text(line, event);
        }
        return line.append('\n').toString().getBytes(StandardCharsets.US_ASCII);
    }

    private void json(StringBuilder line, ILoggingEvent event) {
        line.append("{\"at\":\"")
                .append(Timestamps.format(event.getInstant()))
                .append("\",\"level\":\"")
                .append(level(event))
                .append('"');
        if (!event.getLoggerName().equals(LogLine.LOGGER)) {
            quote(line.append(",\"logger\":"), event.getLoggerName(), LONGEST_VALUE);
        }
        quote(line.append(",\"event\":"), shown(event.getFormattedMessage()), LONGEST_VALUE);
        for (KeyValuePair pair : pairs(event)) {
            quote(line.append(','), pair.key, LONGEST_VALUE);
            line.append(':');
            if (pair.value instanceof Number || pair.value instanceof Boolean) {
                line.append(pair.value);
            } else {
                quote(line, shown(String.valueOf(pair.value)), LONGEST_VALUE);
            }
        }
        if (event.getThrowableProxy() != null) {
            quote(line.append(",\"trace\":"), trace(event), LONGEST_TRACE);
        }
        line.append('}');
    }

    private void text(StringBuilder line, ILoggingEvent event) {
        line.append(Timestamps.format(event.getInstant()))
                .append(' ')
                .append(level(event))
                .append(' ');
        if (event.getLoggerName().equals(LogLine.LOGGER)) {
            plain(line, shown(event.getFormattedMessage()));
        } else {
            line.append(event.getLoggerName()).append(": ");
            quote(line, shown(event.getFormattedMessage()), LONGEST_VALUE);
        }
        for (KeyValuePair pair : pairs(event)) {
            plain(line.append(' '), pair.key);
            plain(line.append('='), shown(String.valueOf(pair.value)));
        }
        if (event.getThrowableProxy() != null) {
            trace(line, trace(event).strip());
        }
    }

    private String trace(ILoggingEvent event) {
        return shown(ThrowableProxyUtil.asString(event.getThrowableProxy()));
    }

    private String shown(String text) {
        return addresses.get().apply(text.length() > LONGEST_TRACE ? text.substring(0, LONGEST_TRACE + 1) : text);
    }

    /** Writes a stack trace below the line and indented, as no canonical line is. */
    private static void trace(StringBuilder line, String trace) {
        int end = Math.min(trace.length(), LONGEST_TRACE);
        line.append("\n    ");
        for (int i = 0; i < end; i++) {
            char c = trace.charAt(i);
            if (c == '\n') {
                line.append("\n    ");
            } else if (c == '\t') {
                line.append("  ");
            } else if (c != '\r') {
                escape(line, c);
            }
        }
    }

    private static String level(ILoggingEvent event) {
        return event.getLevel().toString().toLowerCase(Locale.ROOT);
    }

    private static List<KeyValuePair> pairs(ILoggingEvent event) {
        List<KeyValuePair> pairs = event.getKeyValuePairs();
        return pairs == null ? List.of() : pairs;
    }

    /** Writes a value plainly when it is unambiguous, else quoted. */
    private static void plain(StringBuilder line, String value) {
        boolean plain = !value.isEmpty() && value.length() <= LONGEST_VALUE;
        for (int i = 0; plain && i < value.length(); i++) {
            char c = value.charAt(i);
            plain = c > ' ' && c < 0x7F && c != '"' && c != '=' && c != '\\';
        }
        if (plain) {
            line.append(value);
        } else {
            quote(line, value, LONGEST_VALUE);
        }
    }

    private static void quote(StringBuilder line, String value, int longest) {
        line.append('"');
        for (int i = 0; i < Math.min(value.length(), longest); i++) {
            char c = value.charAt(i);
            if (c == '"' || c == '\\') {
                line.append('\\').append(c);
            } else {
                escape(line, c);
            }
        }
        line.append(value.length() > longest ? "...\"" : "\"");
    }

    private static void escape(StringBuilder line, char c) {
        if (c >= ' ' && c < 0x7F) {
            line.append(c);
        } else {
            line.append("\\u");
            for (int shift = 12; shift >= 0; shift -= 4) {
                line.append(Character.forDigit(c >> shift & 0xF, 16));
            }
        }
    }
}
