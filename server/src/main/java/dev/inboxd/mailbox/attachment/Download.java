package dev.inboxd.mailbox.attachment;

import dev.inboxd.base.error.ErrorCode;
import dev.inboxd.base.error.Problem;
import dev.inboxd.mail.message.FileNames;
import dev.inboxd.net.DnsAnswer;
import dev.inboxd.net.FetchRequest;
import dev.inboxd.net.HostLimiter;
import dev.inboxd.net.HttpOutcome;
import dev.inboxd.net.PostRequest;
import dev.inboxd.net.SafeHttp;
import dev.inboxd.net.Target;
import dev.inboxd.net.TargetCheck;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The downloads of one message, one after another, within one deadline and one size limit (mail.md §9.1). */
final class Download {
    private static final long LARGEST_TOGETHER = 30L << 20;
    private static final Duration PER_FILE = Duration.ofSeconds(10);
    private static final Duration TOGETHER = Duration.ofSeconds(20);
    private static final int REDIRECTS = 5;
    /** The one status whose content is the file: 206 is a part of it, 203 what a proxy made of it. */
    private static final int FILE = 200;

    private static final Duration BUSY = Duration.ofSeconds(5);

    private final SafeHttp http;
    private final HostLimiter hosts;
    private final UUID organization;
    private final long end = System.nanoTime() + TOGETHER.toNanos();
    private long bytesLeft = LARGEST_TOGETHER;

    Download(SafeHttp http, HostLimiter hosts, UUID organization) {
        this.http = http;
        this.hosts = hosts;
        this.organization = organization;
    }

    /**
     * A downloaded file.
     *
     * @param size its octets
     * @param filename from the answer's Content-Disposition, else from the URL that was asked for first; cleaned
     * @param mediaType from the answer's Content-Type, unchecked
     */
    record DownloadedFile(
            long size, @Nullable String filename, @Nullable String mediaType) {}

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
        String last = target.fileName();
        long until = Math.min(end, System.nanoTime() + PER_FILE.toNanos());
        for (int hop = 0; hop <= REDIRECTS; hop++) {
            switch (get(target, until, into, refusal)) {
                case HttpOutcome.NoResponse failed -> throw refusal.of(failed.detail());
                case HttpOutcome.Response answer
                when answer.status() == FILE -> {
                    if (answer.truncated()) {
                        throw Problem.of(
                                ErrorCode.UNPROCESSABLE,
                                "The attachments given by URL are larger than 30 MiB together",
                                "Send fewer or smaller files, or links to them.");
                    }
                    bytesLeft -= answer.bytes();
                    return new DownloadedFile(
                            answer.bytes(),
                            filename(answer.fields().disposition(), last),
                            answer.fields().mediaType());
                }
                case HttpOutcome.Response answer -> target = permitted(next(target, answer, refusal), refusal);
            }
        }
        throw refusal.of("There are more than " + REDIRECTS + " redirects.");
    }

    private HttpOutcome get(Target target, long until, Path into, Refusal refusal) {
        if (TimeUnit.NANOSECONDS.toMillis(until - System.nanoTime()) <= 0) {
            throw refusal.of("No complete response within the deadline.");
        }
        DnsAnswer<InetAddress> addresses = hosts.areBounded() ? http.lookUp(target) : null;
        HostLimiter.Permit permit = hosts.enter(
                organization,
                addresses == null ? HostLimiter.Destination.UNKNOWN : HostLimiter.Destination.of(target, addresses),
                until);
        if (permit == null) {
            throw Problem.of(
                            ErrorCode.SERVICE_UNAVAILABLE,
                            "Too many files are being fetched from "
                                    + target.host().text() + " at the moment")
                    .retryAfter(BUSY);
        }
        int change = 0;
        try (OutputStream out = Files.newOutputStream(into)) {
            HttpOutcome outcome = http.fetch(
                    new FetchRequest(
                            target,
                            Duration.ofNanos(Math.max(1_000_000, until - System.nanoTime())),
                            bytesLeft,
                            new PostRequest.ConnectionGroup("download", addresses)),
                    out);
            change = outcome instanceof HttpOutcome.Response answer && answer.status() < 500 ? 1 : -1;
            return outcome;
        } catch (IOException full) {
            throw AttachmentFetcher.noRoom(full);
        } finally {
            permit.release(change);
        }
    }

    /** The name that the server gives the file (RFC 6266 §4.3), else the one in its URL; null when neither is one. */
    private static @Nullable String filename(@Nullable String disposition, String last) {
        String name = disposition == null ? null : FileNames.ofDisposition(disposition);
        return name == null ? FileNames.clean(last) : name;
    }

    /**
     * The target of a redirect (RFC 9110 §15.4), to be checked like any URL; any other answer but success is refused.
     */
    private TargetCheck next(Target from, HttpOutcome.Response answer, Refusal refusal) {
        boolean redirect = switch (answer.status()) {
            case 301, 302, 303, 307, 308 -> true;
            default -> false;
        };
        String location = answer.fields().location();
        if (!redirect || location == null) {
            throw refusal.of("The server answered " + answer.status() + ".");
        }
        return http.checkRedirect(from, location);
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
