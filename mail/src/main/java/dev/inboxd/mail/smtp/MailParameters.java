package dev.inboxd.mail.smtp;

import java.util.Locale;
import java.util.StringTokenizer;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * The parameters of one MAIL command: SIZE (RFC 1870), BODY (RFC 6152), SMTPUTF8 (RFC 6531), AUTH (RFC 4954), RET and
 * ENVID (RFC 3461). Each may occur once.
 */
final class MailParameters {
    // RFC 5321 §4.1.1.11
    static final SmtpReply UNKNOWN = SmtpReply.of(555, "5.5.4", "Parameter not recognized or not implemented");
    static final SmtpReply BAD = SmtpReply.of(501, "5.5.4", "Bad or repeated parameter");

    private long size = -1;
    private boolean body;
    private boolean smtpUtf8;
    private boolean auth;
    private String ret = "";
    private String envid = "";

    /** The declared size, -1 when absent, {@link Long#MAX_VALUE} for any larger number. */
    long size() {
        return size;
    }

    boolean smtpUtf8() {
        return smtpUtf8;
    }

    /** Whether AUTH is present, with any value: no client here is trusted to state it (RFC 4954 §5). */
    boolean auth() {
        return auth;
    }

    MailDsn dsn() {
        return new MailDsn(ret, envid);
    }

    /**
     * Parses all parameters.
     *
     * @return null when all are valid, else the refusal
     */
    @Nullable
    SmtpReply read(String text) {
        return read(text, this::take);
    }

    /** Parses parameters into keyword (in upper case) and value, up to the first one that is refused. */
    static @Nullable SmtpReply read(String text, BiFunction<String, String, @Nullable SmtpReply> take) {
        StringTokenizer words = new StringTokenizer(text, " ");
        SmtpReply refusal = null;
        while (refusal == null && words.hasMoreTokens()) {
            String word = words.nextToken();
            int equals = word.indexOf('=');
            String keyword = equals < 0 ? word : word.substring(0, equals);
            refusal = take.apply(keyword.toUpperCase(Locale.ROOT), equals < 0 ? "" : word.substring(equals + 1));
        }
        return refusal;
    }

    private @Nullable SmtpReply take(String keyword, String value) {
        return switch (keyword) {
            case "SIZE" -> {
                boolean first = size < 0;
                size = number(value);
                yield first && size >= 0 ? null : BAD;
            }
            case "BODY" -> {
                boolean first = !body;
                body = true;
                // BINARYMIME is not offered: data consists of lines here, in BDAT too (RFC 3030 §3)
                yield first && (value.equalsIgnoreCase("7BIT") || value.equalsIgnoreCase("8BITMIME")) ? null : BAD;
            }
            case "SMTPUTF8" -> {
                boolean first = !smtpUtf8;
                smtpUtf8 = true;
                yield first && value.isEmpty() ? null : BAD;
            }
            case "AUTH" -> {
                boolean first = !auth;
                auth = true;
                yield first && (value.equals("<>") || Xtext.decode(value) != null) ? null : BAD;
            }
            case "RET" -> {
                boolean first = ret.isEmpty();
                ret = value.toUpperCase(Locale.ROOT);
                yield first && (ret.equals("FULL") || ret.equals("HDRS")) ? null : BAD;
            }
            case "ENVID" -> {
                boolean first = envid.isEmpty();
                envid = value;
                yield first && value.length() <= MailDsn.LONGEST_ENVID && Xtext.decode(value) != null ? null : BAD;
            }
            default -> UNKNOWN;
        };
    }

    /** A decimal number of any length, saturated; -1 for any other text. */
    static long number(String digits) {
        long value = 0;
        for (int i = 0; i < digits.length(); i++) {
            char digit = digits.charAt(i);
            if (digit < '0' || digit > '9') {
                return -1;
            }
            value = value > (Long.MAX_VALUE - 9) / 10 ? Long.MAX_VALUE : value * 10 + (digit - '0');
        }
        return digits.isEmpty() ? -1 : value;
    }
}
