package dev.inboxd.console.session;

import dev.inboxd.app.connect.Cookies;
import dev.inboxd.base.error.ErrorCode;
import dev.inboxd.base.error.Problem;
import dev.inboxd.base.http.ProxyFields;
import dev.inboxd.base.http.Request;
import java.net.InetAddress;
import java.net.URI;
import java.time.Duration;

/**
 * Lets the person who started the server use an open console. Every user, container and proxy of the machine comes
 * from loopback as well; the token in the printed address tells that person from them.
 */
final class OpenConsole {
    private static final Duration A_MONTH = Duration.ofDays(30);

    private final ConsoleConfig config;

    OpenConsole(ConsoleConfig config) {
        this.config = config;
    }

    /**
     * Refuses others.
     *
     * @throws Problem {@code forbidden} from elsewhere, {@code unauthorized} without the token
     */
    void requireOperator(Request request) {
        OperatorToken token = token();
        requireThisMachine(request);
        if (!token.is(Cookies.read(request, token.cookie()))) {
            throw unknown(token);
        }
    }

    /**
     * A header that keeps the token in the browser.
     *
     * @param queryToken the token in the address of the page
     * @throws Problem as {@link #requireOperator}
     */
    String admit(Request request, String queryToken) {
        OperatorToken token = token();
        requireThisMachine(request);
        if (!token.is(queryToken)) {
            throw unknown(token);
        }
        // Lax: a program that asks to be let in leads here from its own page.
        Cookies.Cookie cookie = new Cookies.Cookie(token.cookie(), "/console", "Lax", A_MONTH);
        return new Cookies(called(request)).set(cookie, token.value());
    }

    /** The public URL with the scheme by which this machine called. */
    private URI called(Request request) {
        String withoutScheme = config.publicUrl().toString().replaceFirst("^https?:", "");
        return URI.create((request.isSecure() ? "https:" : "http:") + withoutScheme);
    }

    private OperatorToken token() {
        return config.token().orElseThrow(() -> Problem.of(ErrorCode.FORBIDDEN, "This console needs a sign-in"));
    }

    private Problem unknown(OperatorToken token) {
        return Problem.of(
                ErrorCode.UNAUTHORIZED,
                "The console opens with the link that the server printed when it was ready",
                "Open the link after \"Console\" there, or " + config.publicUrl()
                        + "/console?token= followed by the content of " + token.file()
                        + ". The browser keeps the token for 30 days. Then open this page again.");
    }

    private static void requireThisMachine(Request request) {
        if (ProxyFields.areIn(request) || !isLoopback(request.remoteAddress())) {
            throw Problem.of(
                    ErrorCode.FORBIDDEN,
                    "An open console works only on the machine of the server, and not through a proxy",
                    "Set INBOXD_CONSOLE=sign-in to sign in from anywhere with a code by email.");
        }
    }

    private static boolean isLoopback(String address) {
        try {
            return InetAddress.ofLiteral(address).isLoopbackAddress();
        } catch (IllegalArgumentException unknown) {
            return false;
        }
    }
}
