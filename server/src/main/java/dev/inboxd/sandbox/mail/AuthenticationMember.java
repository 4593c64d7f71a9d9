package dev.inboxd.sandbox.mail;

import dev.inboxd.base.json.JsonBody;
import dev.inboxd.inbound.authentication.ChosenResults;
import dev.inboxd.mail.address.AddressSyntaxException;
import dev.inboxd.mail.address.DomainName;
import dev.inboxd.mail.auth.AuthResult;
import dev.inboxd.mail.dmarc.DmarcPolicy;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Reads the member {@code authentication}: a word, or a result for each check. */
public final class AuthenticationMember {
    private static final String NAME = "authentication";
    private static final int MOST_SIGNATURES = 10;

    private enum Word {
        PASS(AuthResult.PASS, AuthResult.PASS, null),
        FAIL(AuthResult.FAIL, AuthResult.FAIL, DmarcPolicy.NONE),
        FAIL_QUARANTINE(AuthResult.FAIL, AuthResult.FAIL, DmarcPolicy.QUARANTINE),
        FAIL_REJECT(AuthResult.FAIL, AuthResult.FAIL, DmarcPolicy.REJECT),
        NONE(AuthResult.NONE, AuthResult.NONE, null);

        private final AuthResult result;
        private final AuthResult dmarc;
        private final @Nullable DmarcPolicy policy;

        Word(AuthResult result, AuthResult dmarc, @Nullable DmarcPolicy policy) {
            this.result = result;
            this.dmarc = dmarc;
            this.policy = policy;
        }

        ChosenResults results() {
            return ChosenResults.of(result, dmarc, policy);
        }

        String wireName() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** The results of mail that is its author's. */
    public static final ChosenResults PASS = Word.PASS.results();

    private AuthenticationMember() {}

    /** The chosen results; faults are collected in the body. */
    public static ChosenResults read(JsonBody body) {
        if (!(body.any(NAME) instanceof Map)) {
            Word word = body.choice(NAME, Word.values(), Word::wireName);
            return word == null ? PASS : word.results();
        }
        JsonBody checks = Objects.requireNonNull(body.object(NAME));
        JsonBody dmarc = checks.object("dmarc");
        JsonBody spf = checks.object("spf");
        JsonBody arc = checks.object("arc");
        List<ChosenResults.DomainResult> signatures = checks.objects("dkim", MOST_SIGNATURES).stream()
                .map(AuthenticationMember::ofDomain)
                .toList();
        return new ChosenResults(
                spf == null ? new ChosenResults.DomainResult(AuthResult.NONE, null) : ofDomain(spf),
                signatures,
                dmarc == null ? AuthResult.NONE : result(dmarc),
                dmarc == null ? null : dmarc.choice("policy", DmarcPolicy.values(), DmarcPolicy::wireName),
                arc == null ? AuthResult.NONE : result(arc));
    }

    private static ChosenResults.DomainResult ofDomain(JsonBody check) {
        return new ChosenResults.DomainResult(
                result(check), check.string("domain").max(253).as(AuthenticationMember::domain, "a domain"));
    }

    private static AuthResult result(JsonBody check) {
        AuthResult result = check.choice("result", AuthResult.values(), AuthResult::wireName);
        if (result == null && !check.isGiven("result")) {
            check.missing("result");
        }
        return Objects.requireNonNullElse(result, AuthResult.NONE);
    }

    private static @Nullable String domain(String text) {
        try {
            return DomainName.toAscii(text);
        } catch (AddressSyntaxException malformed) {
            return null;
        }
    }
}
