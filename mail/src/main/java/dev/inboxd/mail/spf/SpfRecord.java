package dev.inboxd.mail.spf;

import dev.inboxd.mail.auth.AuthResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A published record (RFC 7208 §4.6.1). Its whole syntax is checked before any part of it is evaluated.
 *
 * @param redirect domain to continue with when no directive matches, or null
 * @param explanation domain of the explanation of a fail, or null
 */
record SpfRecord(
        List<Directive> directives,
        @Nullable MacroString redirect,
        @Nullable MacroString explanation) {
    private static final String VERSION = "v=spf1";
    /** A multiple of the size that RFC 7208 §3.4 recommends; each macro in it may expand to 300 octets. */
    private static final int LONGEST = 16 * 1024;

    SpfRecord {
        directives = List.copyOf(directives);
    }

    /** A mechanism and the result of its match. */
    record Directive(AuthResult outcome, Mechanism mechanism) {}

    /** Whether a TXT record is an SPF record (§4.5). */
    static boolean isVersioned(String text) {
        return text.regionMatches(true, 0, VERSION, 0, VERSION.length())
                && (text.length() == VERSION.length() || text.charAt(VERSION.length()) == ' ');
    }

    /**
     * Parses a record that {@link #isVersioned}.
     *
     * @throws SpfException permerror, for any fault anywhere
     */
    static SpfRecord parse(String text) {
        if (text.length() > LONGEST) {
            throw SpfException.permanent("a record of " + text.length() + " octets");
        }
        List<Directive> directives = new ArrayList<>();
        MacroString redirect = null;
        MacroString explanation = null;
        for (String term : text.substring(VERSION.length()).split(" ", -1)) {
            if (term.isEmpty()) {
                continue;
            }
            int equals = modifierEnd(term);
            if (equals < 0) {
                directives.add(directive(term));
                continue;
            }
            MacroString value = MacroString.parse(term.substring(equals + 1), false);
            switch (term.substring(0, equals).toLowerCase(Locale.ROOT)) {
                case "redirect" -> redirect = once(redirect, value);
                case "exp" -> explanation = once(explanation, value);
                default -> {} // §6: unknown modifiers are ignored
            }
        }
        return new SpfRecord(directives, redirect, explanation);
    }

    /** Index of a modifier's equals sign; -1 when the term is not a modifier. */
    private static int modifierEnd(String term) {
        int i = 0;
        while (i < term.length()
                && (MacroString.isLetter(term.charAt(i))
                        || (i > 0 && (MacroString.isDigit(term.charAt(i)) || "-_.".indexOf(term.charAt(i)) >= 0)))) {
            i++;
        }
        return i > 0 && i < term.length() && term.charAt(i) == '=' ? i : -1;
    }

    /** §6: redirect and exp occur once at most, and need a domain. */
    private static MacroString once(@Nullable MacroString before, MacroString value) {
        if (before != null || !value.endsLikeDomain()) {
            throw SpfException.permanent("a modifier that is repeated or names no domain");
        }
        return value;
    }

    private static Directive directive(String term) {
        AuthResult outcome = switch (term.charAt(0)) {
            case '-' -> AuthResult.FAIL;
            case '~' -> AuthResult.SOFTFAIL;
            case '?' -> AuthResult.NEUTRAL;
            default -> AuthResult.PASS;
        };
        boolean qualified = outcome != AuthResult.PASS || term.charAt(0) == '+';
        return new Directive(outcome, Mechanism.parse(qualified ? term.substring(1) : term));
    }
}
