package dev.inboxd.console.session;

import dev.inboxd.base.access.Caller;
import dev.inboxd.base.vault.Vault;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Base64;

/** Tokens that a page gives its forms: whoever cannot read our pages cannot send them. Nothing is stored. */
public final class FormTokens {
    private static final long SPAN = Duration.ofHours(12).toSeconds();

    private final Vault vault;
    private final InstantSource clock;

    public FormTokens(Vault vault, InstantSource clock) {
        this.vault = vault;
        this.clock = clock;
    }

    /** A token of this caller, good for twelve hours at least. */
    String of(Caller caller) {
        return of(caller.organization() + "/" + caller.credential().id(), span());
    }

    /** A token of somebody who has not signed in yet. */
    String ofNobody() {
        return of("nobody", span());
    }

    /** Whether the token is the caller's. */
    boolean isOf(Caller caller, String token) {
        return is(caller.organization() + "/" + caller.credential().id(), token);
    }

    /** Whether the token is of a page for those who have not signed in. */
    boolean isOfNobody(String token) {
        return is("nobody", token);
    }

    private boolean is(String whose, String token) {
        return equal(of(whose, span()), token) || equal(of(whose, span() - 1), token);
    }

    private long span() {
        return clock.instant().getEpochSecond() / SPAN;
    }

    private String of(String whose, long span) {
        byte[] mac = vault.mac("console forms", span + " " + whose);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(mac);
    }

    private static boolean equal(String expected, String actual) {
        return MessageDigest.isEqual(
                expected.getBytes(StandardCharsets.UTF_8), actual.getBytes(StandardCharsets.UTF_8));
    }
}
