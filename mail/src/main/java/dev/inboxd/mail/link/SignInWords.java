package dev.inboxd.mail.link;

import dev.inboxd.mail.url.UrlEncoding;
import dev.inboxd.mail.url.WebAddress;
import java.util.Locale;
import java.util.Set;

/** Says by which parts of an address somebody signs in: such an address is whole only with all that stands in it. */
final class SignInWords {
    private static final Set<String> HOSTS =
            Set.of("login", "signin", "sign-in", "logon", "auth", "oauth", "sso", "accounts", "idp", "adfs");

    /** Words of addresses that are whole only with what stands in them, and ask for nothing secret. */
    private static final Set<String> BESIDE =
            Set.of("signup", "register", "session", "sessions", "invite", "invitation");

    private static final Set<String> WORDS = Set.of(
            "auth",
            "oauth",
            "oauth2",
            "oidc",
            "openid",
            "sso",
            "saml",
            "saml2",
            "cas",
            "adfs",
            "idp",
            "mfa",
            "2fa",
            "signin",
            "signon",
            "signup",
            "register",
            "session",
            "sessions",
            "authorize",
            "authorise",
            "authenticate",
            "authentication",
            "authorization",
            "verify",
            "verification",
            "confirm",
            "confirmation",
            "activate",
            "activation",
            "invite",
            "invitation",
            "magic",
            "password",
            "passwd",
            "reset");

    private static final int LONGEST = 24;

    private SignInWords() {}

    /** Whether the first label of a host says so. */
    static boolean isHost(String label) {
        return HOSTS.contains(label);
    }

    /** Whether a segment of a path says so, or that somebody is invited: decoded, in lower case. */
    static boolean isSegment(String segment) {
        return hasWord(segment, true);
    }

    /** Whether somebody verifies an address, sets a password or signs in there; titles of pages say nothing. */
    static boolean isIn(WebAddress address) {
        String path = UrlEncoding.decoded(address.path()).toLowerCase(Locale.ROOT);
        for (int start = 1; start < path.length(); ) {
            int slash = path.indexOf('/', start);
            int end = slash < 0 ? path.length() : slash;
            String segment = path.substring(start, end);
            if (segment.length() <= LONGEST && hasWord(segment, false)) {
                return true;
            }
            start = end + 1;
        }
        return false;
    }

    private static boolean hasWord(String segment, boolean beside) {
        String before = "";
        int start = 0;
        for (int i = 0; i <= segment.length(); i++) {
            if (i < segment.length() && Character.isLetterOrDigit(segment.charAt(i))) {
                continue;
            }
            String word = segment.substring(start, i);
            if (isWord(word)
                    || (beside && BESIDE.contains(word))
                    || ((before.equals("sign") || before.equals("log")) && isParticle(word))) {
                return true;
            }
            before = word;
            start = i + 1;
        }
        return false;
    }

    private static boolean isParticle(String word) {
        return word.equals("in") || word.equals("on");
    }

    private static boolean isWord(String word) {
        return WORDS.contains(word)
                || word.startsWith("login")
                || word.startsWith("logon")
                || word.endsWith("login")
                || word.endsWith("logon");
    }
}
