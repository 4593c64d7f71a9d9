package dev.inboxd.mail.link;

import java.util.Set;

/** Says by which parts of an address somebody signs in: such an address is whole only with all that stands in it. */
final class SignInWords {
    private static final Set<String> HOSTS =
            Set.of("login", "signin", "sign-in", "logon", "auth", "oauth", "sso", "accounts", "idp", "adfs");

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

    private SignInWords() {}

    /** Whether the first label of a host says so. */
    static boolean isHost(String label) {
        return HOSTS.contains(label);
    }

    /** Whether a segment of a path says so: decoded, in lower case. */
    static boolean isSegment(String segment) {
        String before = "";
        int start = 0;
        for (int i = 0; i <= segment.length(); i++) {
            if (i < segment.length() && Character.isLetterOrDigit(segment.charAt(i))) {
                continue;
            }
            String word = segment.substring(start, i);
            if (isWord(word) || ((before.equals("sign") || before.equals("log")) && isParticle(word))) {
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
