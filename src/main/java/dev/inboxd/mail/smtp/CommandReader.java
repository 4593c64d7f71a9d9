package dev.inboxd.mail.smtp;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.StringTokenizer;

/** Turns a line into a {@link Command}. */
final class CommandReader {
    private static final Reply NOT_UTF8 = Reply.of(500, "5.5.2", "Command is not valid UTF-8");
    private static final Reply CONTROL = Reply.of(500, "5.5.2", "Control character in command");
    private static final Reply UNKNOWN = Reply.of(500, "5.5.1", "Command unrecognized");
    private static final Reply NOT_IMPLEMENTED = Reply.of(502, "5.5.1", "Command not implemented");
    private static final Reply NO_ARGUMENT = Reply.of(501, "5.5.4", "This command takes no argument");
    private static final Reply ONE_ARGUMENT = Reply.of(501, "5.5.4", "This command takes one argument");
    private static final Reply MAIL_SYNTAX =
            Reply.of(501, "5.5.4", "Syntax: MAIL FROM:<address> [SIZE=n] [BODY=8BITMIME] [SMTPUTF8]");
    private static final Reply RCPT_SYNTAX = Reply.of(501, "5.5.4", "Syntax: RCPT TO:<address>");
    private static final Reply BAD_SENDER = Reply.of(501, "5.1.7", "Bad sender address syntax");
    private static final Reply BAD_RECIPIENT = Reply.of(501, "5.1.3", "Bad recipient address syntax");
    // RFC 6531 §3.5: 550 when MAIL would have needed an ASCII address
    private static final Reply SENDER_NEEDS_UTF8 = Reply.of(550, "5.6.7", "Non-ASCII sender address without SMTPUTF8");

    private static final Reply AUTH_SYNTAX = Reply.of(501, "5.5.4", "Syntax: AUTH mechanism [initial-response]");
    private static final Reply XCLIENT_SYNTAX = Reply.of(501, "5.5.4", "Bad XCLIENT attribute");
    private static final Set<String> XCLIENT_ATTRIBUTES = Set.of("NAME", "ADDR", "PORT", "PROTO", "HELO");

    /** RFC 5321 §4.5.3.1.2. */
    private static final int MAX_DOMAIN = 255;

    private CommandReader() {}

    static Command read(byte[] buffer, int from, int to) {
        String line;
        try {
            line = text(buffer, from, to);
        } catch (CharacterCodingException notUtf8) {
            return new Command.Bad(NOT_UTF8);
        }
        if (line.chars().anyMatch(c -> Path.isControl(c) && c != '\t')) {
            return new Command.Bad(CONTROL);
        }
        int space = line.indexOf(' ');
        String verb = space < 0 ? line : line.substring(0, space);
        return command(
                verb.toUpperCase(Locale.ROOT),
                space < 0 ? "" : line.substring(space + 1).strip());
    }

    private static Command command(String verb, String argument) {
        return switch (verb) {
            case "EHLO" -> isOneWord(argument) ? new Command.Ehlo(printable(argument)) : new Command.Bad(ONE_ARGUMENT);
            case "HELO" -> isOneWord(argument) ? new Command.Helo(printable(argument)) : new Command.Bad(ONE_ARGUMENT);
            case "MAIL" -> mail(argument);
            case "RCPT" -> rcpt(argument);
            case "DATA" -> bare(Command.Simple.DATA, argument);
            case "RSET" -> bare(Command.Simple.RSET, argument);
            case "QUIT" -> bare(Command.Simple.QUIT, argument);
            case "STARTTLS" -> bare(Command.Simple.STARTTLS, argument);
            case "NOOP" -> Command.Simple.NOOP;
            case "HELP" -> Command.Simple.HELP;
            case "VRFY" -> argument.isEmpty() ? new Command.Bad(ONE_ARGUMENT) : Command.Simple.VRFY;
            case "BDAT" -> bdat(argument);
            case "AUTH" -> auth(argument);
            case "XCLIENT" -> xclient(argument);
            case "EXPN", "ETRN", "TURN", "SEND", "SOML", "SAML" -> new Command.Bad(NOT_IMPLEMENTED);
            default -> new Command.Bad(UNKNOWN);
        };
    }

    private static Command bare(Command.Simple command, String argument) {
        return argument.isEmpty() ? command : new Command.Bad(NO_ARGUMENT);
    }

    private static Command mail(String argument) {
        int start = afterKeyword(argument, "FROM:");
        if (start < 0) {
            return new Command.Bad(MAIL_SYNTAX);
        }
        PathReader reader = new PathReader(argument, start);
        ReversePath reversePath = reader.reversePath();
        if (reversePath == null || !isWordEnd(argument, reader.end())) {
            return new Command.Bad(BAD_SENDER);
        }
        MailParameters parameters = new MailParameters();
        Reply refusal = parameters.read(argument.substring(reader.end()));
        if (refusal == null && !parameters.smtpUtf8() && !reversePath.isAscii()) {
            refusal = SENDER_NEEDS_UTF8;
        }
        return refusal != null
                ? new Command.Bad(refusal)
                : new Command.Mail(
                        reversePath, parameters.size(), parameters.smtpUtf8(), parameters.auth(), parameters.dsn());
    }

    private static Command rcpt(String argument) {
        int start = afterKeyword(argument, "TO:");
        if (start < 0) {
            return new Command.Bad(RCPT_SYNTAX);
        }
        PathReader reader = new PathReader(argument, start);
        Path forwardPath = reader.forwardPath();
        if (forwardPath == null || !isWordEnd(argument, reader.end())) {
            return new Command.Bad(BAD_RECIPIENT);
        }
        RecipientParameters parameters = new RecipientParameters();
        Reply refusal = parameters.read(argument.substring(reader.end()));
        return refusal == null ? new Command.Rcpt(forwardPath, parameters.dsn()) : new Command.Bad(refusal);
    }

    /** RFC 3030 §2: a number, then perhaps LAST. */
    private static Command bdat(String argument) {
        int space = argument.indexOf(' ');
        String end = space < 0 ? "" : argument.substring(space + 1).strip();
        boolean last = end.equalsIgnoreCase("LAST");
        boolean sound = end.isEmpty() || last;
        return new Command.Bdat(
                sound ? MailParameters.number(space < 0 ? argument : argument.substring(0, space)) : -1, last);
    }

    private static Command auth(String argument) {
        int space = argument.indexOf(' ');
        String mechanism = space < 0 ? argument : argument.substring(0, space);
        String initial = space < 0 ? null : argument.substring(space + 1);
        boolean sound = !mechanism.isEmpty() && (initial == null || initial.indexOf(' ') < 0);
        return sound ? new Command.Auth(mechanism.toUpperCase(Locale.ROOT), initial) : new Command.Bad(AUTH_SYNTAX);
    }

    /** Attributes with values in xtext; what the relay does not know itself is as good as not said. */
    private static Command xclient(String argument) {
        Map<String, String> attributes = new HashMap<>();
        StringTokenizer words = new StringTokenizer(argument, " ");
        while (words.hasMoreTokens()) {
            String word = words.nextToken();
            int equals = word.indexOf('=');
            String name = equals < 0 ? "" : word.substring(0, equals).toUpperCase(Locale.ROOT);
            String value = Xtext.decode(word.substring(equals + 1));
            if (!XCLIENT_ATTRIBUTES.contains(name) || value == null) {
                return new Command.Bad(XCLIENT_SYNTAX);
            }
            if (!value.equals("[UNAVAILABLE]") && !value.equals("[TEMPUNAVAIL]")) {
                attributes.put(name, name.equals("HELO") ? printable(value) : value);
            }
        }
        return argument.isEmpty() ? new Command.Bad(XCLIENT_SYNTAX) : new Command.Xclient(attributes);
    }

    /**
     * Index of the path after {@code FROM:} or {@code TO:}; the spaces that some clients put there are tolerated. -1 if
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

    /** RFC 5321 §4.1.4 forbids refusing a client for its name, so an unusual one is made harmless instead. */
    private static String printable(String domain) {
        StringBuilder safe = new StringBuilder(domain.length());
        for (int i = 0; i < domain.length(); i++) {
            char c = domain.charAt(i);
            safe.append(Path.isLetterOrDigit(c) || ".-_:[]".indexOf(c) >= 0 ? c : '?');
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
