package dev.inboxd.console.picture;

import dev.inboxd.net.FetchRequest;
import dev.inboxd.net.HttpOutcome;
import dev.inboxd.net.SafeHttp;
import dev.inboxd.net.Target;
import dev.inboxd.net.TargetCheck;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * Fetches pictures that a mail names, when somebody asked for them: by this server, without a cookie or a referrer, so
 * that the sender learns nothing of whoever reads.
 */
public final class RemotePictures {
    private static final Duration DEADLINE = Duration.ofSeconds(6);
    private static final int REDIRECTS = 3;

    private final SafeHttp http;
    private final Semaphore room = new Semaphore(4);

    /** Fetches by that client. */
    public RemotePictures(SafeHttp http) {
        this.http = http;
    }

    /** A copy of the picture at a URL; empty when there is none, or not in time. */
    public Optional<PictureCopy> fetch(String url) {
        long end = System.nanoTime() + DEADLINE.toNanos();
        try {
            if (!room.tryAcquire(DEADLINE.toMillis(), TimeUnit.MILLISECONDS)) {
                return Optional.empty();
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        }
        try {
            return PictureCopy.of(octets(url, end));
        } catch (IOException impossible) {
            return Optional.empty();
        } finally {
            room.release();
        }
    }

    private byte[] octets(String url, long end) throws IOException {
        TargetCheck check = http.checkDownload(url.startsWith("//") ? "https:" + url : url);
        for (int hop = 0; hop <= REDIRECTS; hop++) {
            Duration left = Duration.ofNanos(end - System.nanoTime());
            if (!(check instanceof TargetCheck.Valid valid) || left.toMillis() < 1) {
                return new byte[0];
            }
            Target target = valid.target();
            ByteArrayOutputStream content = new ByteArrayOutputStream();
            HttpOutcome outcome = http.fetch(new FetchRequest(target, left, PictureCopy.LONGEST), content);
            if (!(outcome instanceof HttpOutcome.Response answer)) {
                return new byte[0];
            }
            if (answer.status() == 200) {
                return answer.truncated() ? new byte[0] : content.toByteArray();
            }
            String location = answer.fields().location();
            if (location == null || answer.status() < 301 || answer.status() > 308) {
                return new byte[0];
            }
            check = http.checkRedirect(target, location);
        }
        return new byte[0];
    }
}
