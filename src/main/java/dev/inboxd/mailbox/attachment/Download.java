package dev.inboxd.mailbox.attachment;

import dev.inboxd.net.FetchRequest;
import dev.inboxd.net.HttpOutcome;
import dev.inboxd.net.SafeHttp;
import dev.inboxd.net.Target;
import dev.inboxd.net.TargetCheck;
import dev.inboxd.platform.error.ErrorCode;
import dev.inboxd.platform.error.Problem;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The downloads of one message, one after another, within one deadline and one size limit (mail.md §9.1). */
final class Download {
    private static final long LARGEST_TOGETHER = 30L << 20;
    private static final Duration EACH = Duration.ofSeconds(10);
    private static final Duration TOGETHER = Duration.ofSeconds(20);
    private static final int REDIRECTS = 5;

    private final SafeHttp http;
    private final long end = System.nanoTime() + TOGETHER.toNanos();
    private long bytesLeft = LARGEST_TOGETHER;

    Download(SafeHttp http) {
        this.http = http;
    }

    /**
     * A downloaded file.
     *
     * @param size its octets
     * @param lastPathPart of the requested URL, decoded
     * @param mediaType from the answer's Content-Type, unchecked
     */
    record DownloadedFile(
            long size, String lastPathPart, @Nullable String mediaType) {}

    /**
     * Downloads one file.
     *
     * @param position index of the attachment in the request, for error messages
     * @param into an empty file
     * @throws Problem {@code message_rejected}, {@code unprocessable} or {@code service_unavailable}
     */
    DownloadedFile fetch(int position, String url, Path into) {
        Refusal refusal = new Refusal(position);
        Target target = permitted(http.checkDownload(url), refusal);
        String path = Objects.requireNonNullElse(target.uri().getPath(), "");
        long until = Math.min(end, System.nanoTime() + EACH.toNanos());
        for (int hop = 0; hop <= REDIRECTS; hop++) {
            switch (get(target, until, into, refusal)) {
                case HttpOutcome.NoResponse failed -> throw refusal.of(failed.detail());
                case HttpOutcome.Response answer
                when answer.successful() -> {
                    if (answer.truncated()) {
                        throw Problem.of(
                                ErrorCode.UNPROCESSABLE,
                                "The attachments given by URL are larger than 30 MiB" + " together",
                                "Send fewer or smaller files, or links to them.");
                    }
                    bytesLeft -= answer.bytes();
                    return new DownloadedFile(
                            answer.bytes(), path.substring(path.lastIndexOf('/') + 1), answer.mediaType());
                }
                case HttpOutcome.Response answer -> target = permitted(next(target, answer, refusal), refusal);
            }
        }
        throw refusal.of("There are more than " + REDIRECTS + " redirects.");
    }

    private HttpOutcome get(Target target, long until, Path into, Refusal refusal) {
        Duration left = Duration.ofNanos(until - System.nanoTime());
        if (left.toMillis() <= 0) {
            throw refusal.of("No complete response within the deadline.");
        }
        try (OutputStream out = Files.newOutputStream(into)) {
            return http.fetch(new FetchRequest(target, left, bytesLeft), out);
        } catch (IOException full) {
            throw AttachmentFetcher.noRoom(full);
        }
    }

    /**
     * The target of a redirect (RFC 9110 §15.4), to be checked like any URL; any other answer but success is refused.
     */
    private TargetCheck next(Target from, HttpOutcome.Response answer, Refusal refusal) {
        boolean redirect = switch (answer.status()) {
            case 301, 302, 303, 307, 308 -> true;
            default -> false;
        };
        if (!redirect || answer.location() == null) {
            throw refusal.of("The server answered " + answer.status() + ".");
        }
        try {
            URI next = from.uri().resolve(answer.location());
            // A URL that the client gave with https is not fetched over plain HTTP.
            if ("https".equals(from.uri().getScheme()) && !"https".equalsIgnoreCase(next.getScheme())) {
                throw refusal.of("A redirect leads from https to http.");
            }
            return http.checkDownload(next.toString());
        } catch (IllegalArgumentException malformed) {
            throw refusal.of("A redirect leads to no valid URL.");
        }
    }

    private static Target permitted(TargetCheck check, Refusal refusal) {
        return switch (check) {
            case TargetCheck.Valid accepted -> accepted.target();
            case TargetCheck.Invalid refused -> throw refusal.of(refused.message());
        };
    }

    /** Names the attachment in the refusal, and the reason. */
    private record Refusal(int position) {
        Problem of(String why) {
            return Problem.of(
                    ErrorCode.MESSAGE_REJECTED,
                    "Message rejected: attachments[" + position + "] could not be fetched. " + why,
                    "Check its url, or give its content.");
        }
    }
}
