package dev.inboxd.mail.smtp;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Parses one path of a command line, RFC 5321 §4.1.2 and RFC 6531 §3.3. Every parsing method returns null on bad
 * syntax.
 */
final class PathReader {
    /** RFC 5321 §4.5.3.1.1 has 64, but real return paths are longer and §4.5.3.1 asks for no limit where possible. */
    private static final int MAX_LOCAL_PART = 255;

    private static final int MAX_DOMAIN = 255;
    private static final int MAX_LABEL = 63;

    private final String line;
    private int next;

    PathReader(String line, int from) {
        this.line = line;
        this.next = from;
    }

    /** Index behind the parsed path. */
    int end() {
        return next;
    }

    @Nullable
    ReversePath reversePath() {
        if (line.startsWith("<>", next)) {
            next += 2;
            return NullPath.NULL;
        }
        SmtpPath path = path();
        return path == null || path.isBarePostmaster() ? null : path;
    }

    @Nullable
    SmtpPath forwardPath() {
        return path();
    }

    private @Nullable SmtpPath path() {
        if (!take('<') || !sourceRoute()) {
            return null;
        }
        String localPart = peek() == '"' ? quotedString() : dotString();
        if (localPart == null || localPart.isEmpty() || localPart.length() > MAX_LOCAL_PART) {
            return null;
        }
        if (take('>')) {
            // RFC 5321 §4.5.1: postmaster is the only local part that may stand alone
            return localPart.equalsIgnoreCase("postmaster") ? new SmtpPath(localPart, "") : null;
        }
        String domain = take('@') ? host() : null;
        return domain != null && take('>') ? new SmtpPath(localPart, domain) : null;
    }

    /** RFC 5321 appendix C: a source route is accepted, and ignored. False when it is malformed. */
    private boolean sourceRoute() {
        if (peek() != '@') {
            return true;
        }
        do {
            if (!take('@') || host() == null) {
                return false;
            }
        } while (take(','));
        return take(':');
    }

    /** Dots are accepted anywhere: some carriers gave out addresses like {@code a..b@}. */
    private String dotString() {
        int from = next;
        while (next < line.length() && (SmtpPath.isAtext(peek()) || peek() == '.')) {
            next++;
        }
        return line.substring(from, next);
    }

    private @Nullable String quotedString() {
        StringBuilder content = new StringBuilder();
        for (next++; next < line.length(); next++) {
            char c = peek();
            if (c == '"') {
                next++;
                return content.toString();
            }
            if (c == '\\' && ++next == line.length()) {
                return null;
            }
            if (SmtpPath.isControl(peek())) {
                return null;
            }
            content.append(peek());
        }
        return null;
    }

    private @Nullable String host() {
        return peek() == '[' ? addressLiteral() : domain();
    }

    private @Nullable String domain() {
        int from = next;
        int label = from;
        while (next < line.length() && (isLabelCharacter(peek()) || peek() == '.')) {
            if (peek() == '.') {
                if (next == label) {
                    return null;
                }
                label = next + 1;
            }
            next++;
            if (next - label > MAX_LABEL) {
                return null;
            }
        }
        return next == label || next - from > MAX_DOMAIN ? null : lowerCase(from);
    }

    private @Nullable String addressLiteral() {
        int from = next++;
        while (next < line.length() && (isLabelCharacter(peek()) || peek() == '.' || peek() == ':')) {
            next++;
        }
        return next - from > 1 && next - from < MAX_DOMAIN && take(']') ? lowerCase(from) : null;
    }

    /** Letters, digits and hyphens, the underscore of real host names, and the non-ASCII characters of U-labels. */
    private static boolean isLabelCharacter(char c) {
        return SmtpPath.isLetterOrDigit(c) || c == '-' || c == '_' || c > 0x9f;
    }

    private String lowerCase(int from) {
        return line.substring(from, next).toLowerCase(Locale.ROOT);
    }

    private char peek() {
        return next < line.length() ? line.charAt(next) : '\0';
    }

    private boolean take(char expected) {
        if (peek() != expected) {
            return false;
        }
        next++;
        return true;
    }
}
