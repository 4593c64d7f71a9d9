package dev.inboxd.sandbox.person;

import dev.inboxd.base.access.Caller;
import dev.inboxd.base.access.Scope;
import dev.inboxd.base.database.View;
import dev.inboxd.base.error.Problem;
import dev.inboxd.base.http.LocalCall;
import dev.inboxd.base.http.LocalCalls;
import dev.inboxd.net.FetchRequest;
import dev.inboxd.net.HttpOutcome;
import dev.inboxd.net.PostRequest;
import dev.inboxd.net.RequestHeader;
import dev.inboxd.net.SafeHttp;
import dev.inboxd.net.TargetCheck;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/**
 * What somebody asks of the web because of a mail. What leads to this server is a call within this process: no request
 * of a user may reach its ports (decision 0039).
 */
public final class WebVisits {
    private static final String ONE_CLICK = "List-Unsubscribe=One-Click";
    private static final String PIXEL = "/o/";
    private static final Duration PATIENCE = Duration.ofSeconds(15);
    private static final long MOST = 1 << 20;
    /** Nobody: what is asked for needs no key. */
    private static final Caller NOBODY = new Caller(
            new Caller.Credential.Operator(),
            Scope.ORGANIZATION,
            View.of(new UUID(0, 0)),
            null,
            Set.of(),
            false,
            false,
            false,
            false);

    private final SafeHttp http;
    private final LocalCalls own;
    private final URI publicUrl;

    /** Visits by these means. */
    public WebVisits(SafeHttp http, LocalCalls own, URI publicUrl) {
        this.http = http;
        this.own = own;
        this.publicUrl = publicUrl;
    }

    /** Loads the pixel, where there is one. */
    String open(SentMail mail) {
        return new HtmlAddresses(mail.html())
                .pictures().stream()
                        .map(WebVisits::path)
                        .filter(path -> path.startsWith(PIXEL) && own.has("GET", path))
                        .findFirst()
                        .map(path -> called(new LocalCall("GET", path, null, null)))
                        .orElse("nothing");
    }

    /** Asks for the address of the first link whose words hold these. */
    String click(SentMail mail, String words) {
        String phrase = words.toLowerCase(Locale.ROOT);
        return new HtmlAddresses(mail.html())
                .links().stream()
                        .filter(link -> link.words().toLowerCase(Locale.ROOT).contains(phrase))
                        .findFirst()
                        .map(HtmlAddresses.Link::address)
                        .or(() -> phrase.isEmpty() ? written(mail.text()) : Optional.empty())
                        .map(this::visit)
                        .orElse("nothing");
    }

    /** Unsubscribes with one click, as the mail offers (RFC 8058). */
    String unsubscribe(SentMail mail) {
        String field = mail.field("List-Unsubscribe");
        int begin = field.indexOf("<http");
        int end = field.indexOf('>', begin + 1);
        if (begin < 0 || end < 0 || !mail.field("List-Unsubscribe-Post").contains("One-Click")) {
            return "nothing";
        }
        String address = field.substring(begin + 1, end);
        if (isOwn(address) && own.has("POST", path(address))) {
            return called(new LocalCall("POST", path(address), null, ONE_CLICK));
        }
        return http.check(address) instanceof TargetCheck.Valid(var target)
                ? outcome(http.post(new PostRequest(
                        target,
                        List.of(new RequestHeader("Content-Type", "application/x-www-form-urlencoded")),
                        ONE_CLICK.getBytes(StandardCharsets.US_ASCII),
                        PATIENCE,
                        "sandbox")))
                : "refused";
    }

    private String visit(String address) {
        if (isOwn(address) && own.has("GET", path(address))) {
            return called(
                    new LocalCall("GET", path(address), URI.create(address).getRawQuery(), null));
        }
        if (!(http.check(address) instanceof TargetCheck.Valid(var target))) {
            return "refused";
        }
        try {
            return outcome(http.fetch(new FetchRequest(target, PATIENCE, MOST), OutputStream.nullOutputStream()));
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
    }

    private String called(LocalCall call) {
        try {
            return "answered " + own.await(() -> NOBODY, call).status();
        } catch (Problem refused) {
            return "answered " + refused.code().status();
        }
    }

    private static String outcome(HttpOutcome outcome) {
        return switch (outcome) {
            case HttpOutcome.Response response -> "answered " + response.status();
            case HttpOutcome.NoResponse none -> "no answer: " + none.kind();
        };
    }

    private boolean isOwn(String address) {
        return address.startsWith(publicUrl + "/");
    }

    private static String path(String address) {
        try {
            String path = URI.create(address).getRawPath();
            return path == null ? "" : path;
        } catch (IllegalArgumentException malformed) {
            return "";
        }
    }

    /** The first address in a text. */
    private static Optional<String> written(String text) {
        int begin = text.indexOf("http");
        if (begin < 0 || !(text.startsWith("http://", begin) || text.startsWith("https://", begin))) {
            return Optional.empty();
        }
        int end = begin;
        while (end < text.length()
                && !Character.isWhitespace(text.charAt(end))
                && "<>\")".indexOf(text.charAt(end)) < 0) {
            end++;
        }
        return Optional.of(text.substring(begin, end));
    }
}
