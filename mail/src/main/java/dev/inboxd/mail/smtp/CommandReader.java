package dev.inboxd.mail.smtp;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.StringTokenizer;

/** Parses a line into an {@link SmtpCommand}. */
final class CommandReader {
    private static final SmtpReply NOT_UTF8 = SmtpReply.of(500, "5.5.2", "Command is not valid UTF-8");
    private static final SmtpReply CONTROL = SmtpReply.of(500, "5.5.2", "Control character in command");
    private static final SmtpReply UNKNOWN = SmtpReply.of(500, "5.5.1", "Command unrecognized");
    private static final SmtpReply NOT_IMPLEMENTED = SmtpReply.of(502, "5.5.1", "Command not implemented");
    private static final SmtpReply NO_ARGUMENT = SmtpReply.of(501, "5.5.4", "This command takes no argument");
    private static final SmtpReply ONE_ARGUMENT = SmtpReply.of(501, "5.5.4", "This command takes one argument");
    private static final SmtpReply MAIL_SYNTAX =
            SmtpReply.of(501, "5.5.4", "Syntax: MAIL FROM:<address> [SIZE=n] [BODY=8BITMIME] [SMTPUTF8]");
    private static final SmtpReply RCPT_SYNTAX = SmtpReply.of(501, "5.5.4", "Syntax: RCPT TO:<address>");
    private static final SmtpReply BAD_SENDER = SmtpReply.of(501, "5.1.7", "Bad sender address syntax");
    private static final SmtpReply BAD_RECIPIENT = SmtpReply.of(501, "5.1.3", "Bad recipient address syntax");
    // RFC 6531 §3.5: 550 when MAIL would have needed an ASCII address
    private static final SmtpReply SENDER_NEEDS_UTF8 =
            SmtpReply.of(550, "5.6.7", "Non-ASCII sender address without SMTPUTF8");

    private static final SmtpReply AUTH_SYNTAX =
            SmtpReply.of(501, "5.5.4", "Syntax: AUTH mechanism [initial-response]");
    private static final SmtpReply XCLIENT_SYNTAX = SmtpReply.of(501, "5.5.4", "Bad XCLIENT attribute");
    private static final Set<String> XCLIENT_ATTRIBUTES = Set.of("NAME", "ADDR", "PORT", "PROTO", "HELO");

    /** RFC 5321 §4.5.3.1.2. */
    private static final int MAX_DOMAIN = 255;

    private CommandReader() {}

    static SmtpCommand read(byte[] buffer, int from, int to) {
        String line;
        try {
            line = text(buffer, from, to);
        } catch (CharacterCodingException notUtf8) {
            return new SmtpCommand.Invalid(NOT_UTF8);
        }
        if (line.chars().anyMatch(c -> SmtpPath.isControl(c) && c != '\t')) {
            return new SmtpCommand.Invalid(CONTROL);
        }
        int space = line.indexOf(' ');
        String verb = space < 0 ? line : line.substring(0, space);
        return command(
                verb.toUpperCase(Locale.ROOT),
                space < 0 ? "" : line.substring(space + 1).strip());
    }

    private static SmtpCommand command(String verb, String argument) {
        return switch (verb) {
            case "EHLO" ->
                isOneWord(argument) ? new SmtpCommand.Ehlo(printable(argument)) : new SmtpCommand.Invalid(ONE_ARGUMENT);
            case "HELO" ->
                isOneWord(argument) ? new SmtpCommand.Helo(printable(argument)) : new SmtpCommand.Invalid(ONE_ARGUMENT);
            case "MAIL" -> mail(argument);
            case "RCPT" -> rcpt(argument);
            case "DATA" -> bare(SmtpCommand.Simple.DATA, argument);
            case "RSET" -> bare(SmtpCommand.Simple.RSET, argument);
            case "QUIT" -> bare(SmtpCommand.Simple.QUIT, argument);
            case "STARTTLS" -> bare(SmtpCommand.Simple.STARTTLS, argument);
            case "NOOP" -> SmtpCommand.Simple.NOOP;
            case "HELP" -> SmtpCommand.Simple.HELP;
            case "VRFY" -> argument.isEmpty() ? new SmtpCommand.Invalid(ONE_ARGUMENT) : SmtpCommand.Simple.VRFY;
            case "BDAT" -> bdat(argument);
            case "AUTH" -> auth(argument);
            case "XCLIENT" -> xclient(argument);
            case "EXPN", "ETRN", "TURN", "SEND", "SOML", "SAML" -> new SmtpCommand.Invalid(NOT_IMPLEMENTED);
            default -> new SmtpCommand.Invalid(UNKNOWN);
        };
    }

    private static SmtpCommand bare(SmtpCommand.Simple command, String argument) {
        return argument.isEmpty() ? command : new SmtpCommand.Invalid(NO_ARGUMENT);
    }

    private static SmtpCommand mail(String argument) {
        int start = afterKeyword(argument, "FROM:");
        if (start < 0) {
            return new SmtpCommand.Invalid(MAIL_SYNTAX);
        }
        PathReader reader = new PathReader(argument, start);
        ReversePath reversePath = reader.reversePath();
        if (reversePath == null || !isWordEnd(argument, reader.end())) {
            return new SmtpCommand.Invalid(BAD_SENDER);
        }
        MailParameters parameters = new MailParameters();
        SmtpReply refusal = parameters.read(argument.substring(reader.end()));
        if (refusal == null && !parameters.smtpUtf8() && !reversePath.isAscii()) {
            refusal = SENDER_NEEDS_UTF8;
        }
        return refusal != null
                ? new SmtpCommand.Invalid(refusal)
                : new SmtpCommand.Mail(
                        reversePath, parameters.size(), parameters.smtpUtf8(), parameters.auth(), parameters.dsn());
    }

    private static SmtpCommand rcpt(String argument) {
        int start = afterKeyword(argument, "TO:");
        if (start < 0) {
            return new SmtpCommand.Invalid(RCPT_SYNTAX);
        }
        PathReader reader = new PathReader(argument, start);
        SmtpPath forwardPath = reader.forwardPath();
        if (forwardPath == null || !isWordEnd(argument, reader.end())) {
            return new SmtpCommand.Invalid(BAD_RECIPIENT);
        }
        RecipientParameters parameters = new RecipientParameters();
        SmtpReply refusal = parameters.read(argument.substring(reader.end()));
        return refusal == null ? new SmtpCommand.Rcpt(forwardPath, parameters.dsn()) : new SmtpCommand.Invalid(refusal);
    }

    /** RFC 3030 §2: a number, then perhaps LAST. */
    private static SmtpCommand bdat(String argument) {
        int space = argument.indexOf(' ');
        String end = space < 0 ? "" : argument.substring(space + 1).strip();
        boolean last = end.equalsIgnoreCase("LAST");
        boolean sound = end.isEmpty() || last;
        return new SmtpCommand.Bdat(
                sound ? MailParameters.number(space < 0 ? argument : argument.substring(0, space)) : -1, last);
    }

    private static SmtpCommand auth(String argument) {
        int space = argument.indexOf(' ');
        String mechanism = space < 0 ? argument : argument.substring(0, space);
        String initial = space < 0 ? null : argument.substring(space + 1);
        boolean sound = !mechanism.isEmpty() && (initial == null || initial.indexOf(' ') < 0);
        return sound
                ? new SmtpCommand.Auth(mechanism.toUpperCase(Locale.ROOT), initial)
                : new SmtpCommand.Invalid(AUTH_SYNTAX);
    }

    /** Attributes with values in xtext; an attribute that the relay does not know itself counts as absent. */
    private static SmtpCommand xclient(String argument) {
        Map<String, String> attributes = new HashMap<>();
        StringTokenizer words = new StringTokenizer(argument, " ");
        while (words.hasMoreTokens()) {
            String word = words.nextToken();
            int equals = word.indexOf('=');
            String name = equals < 0 ? "" : word.substring(0, equals).toUpperCase(Locale.ROOT);
            String value = Xtext.decode(word.substring(equals + 1));
            if (!XCLIENT_ATTRIBUTES.contains(name) || value == null) {
                return new SmtpCommand.Invalid(XCLIENT_SYNTAX);
            }
            if (!value.equals("[UNAVAILABLE]") && !value.equals("[TEMPUNAVAIL]")) {
                attributes.put(name, name.equals("HELO") ? printable(value) : value);
            }
        }
        return argument.isEmpty() ? new SmtpCommand.Invalid(XCLIENT_SYNTAX) : new SmtpCommand.Xclient(attributes);
    }

    /**
     * Index of the path after {@code FROM:} or {@code TO:}, after the spaces that some clients write there; -1 if
     * absent.
     */
    private static int afterKeyword(String argument, String keyword) {
        if (!argument.regionMatches(true, 0, keyword, 0, keyword.length())) {
            return -1;
        }
        int start = keyword.length();
        while (start < argument.length() && argument.charAt(start) == ' ') {
            start++;
        }
        return start;
    }

    private static boolean isWordEnd(String text, int index) {
        return index == text.length() || text.charAt(index) == ' ';
    }

    private static boolean isOneWord(String argument) {
        boolean fits = !argument.isEmpty() && argument.length() <= MAX_DOMAIN;
        return fits && argument.chars().noneMatch(c -> c == ' ' || c == '\t');
    }

    /** RFC 5321 §4.1.4 forbids refusing a client for its name, so an unusual name is made harmless instead. */
    private static String printable(String domain) {
        StringBuilder safe = new StringBuilder(domain.length());
        for (int i = 0; i < domain.length(); i++) {
            char c = domain.charAt(i);
            safe.append(SmtpPath.isLetterOrDigit(c) || ".-_:[]".indexOf(c) >= 0 ? c : '?');
        }
        return safe.toString();
    }

    private static String text(byte[] buffer, int from, int to) throws CharacterCodingException {
        for (int i = from; i < to; i++) {
            if (buffer[i] < 0) {
                return StandardCharsets.UTF_8
                        .newDecoder()
                        .decode(ByteBuffer.wrap(buffer, from, to - from))
                        .toString();
            }
        }
        return new String(buffer, from, to - from, StandardCharsets.US_ASCII);
    }
}
