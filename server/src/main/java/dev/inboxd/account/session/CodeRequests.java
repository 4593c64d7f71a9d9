package dev.inboxd.account.session;

import dev.inboxd.account.signup.CodeRequest;
import dev.inboxd.base.error.ErrorCode;
import dev.inboxd.base.error.Problem;
import java.time.Duration;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What is done about an address that asks for a code, behind the answer: so the answer takes as long whether somebody
 * is behind the address or not (ruling 170). A request that is lost with its process is asked for again by its human.
 * Safe for concurrent use.
 */
final class CodeRequests implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(CodeRequests.class);
    /** Requests that wait; each is an address. */
    private static final int MOST = 1_000;

    private static final int AT_ONCE = 2;
    /** How long the requests that were answered may take when the service stops. */
    private static final Duration DRAIN = Duration.ofSeconds(10);

    private final Consumer<CodeRequest> work;
    private final ThreadPoolExecutor threads = new ThreadPoolExecutor(
            AT_ONCE,
            AT_ONCE,
            30,
            TimeUnit.SECONDS,
            new ArrayBlockingQueue<>(MOST),
            Thread.ofPlatform().daemon().name("sign-in-", 0).factory());

    /** @param work what is done about one request */
    CodeRequests(Consumer<CodeRequest> work) {
        this.work = work;
        threads.allowCoreThreadTimeOut(true);
    }

    /**
     * Has the work for a request done soon.
     *
     * @throws Problem {@code service_unavailable} when too many wait, whoever they are
     */
    void add(CodeRequest request) {
        try {
            threads.execute(() -> run(request));
        } catch (RejectedExecutionException full) {
            throw Problem.of(ErrorCode.SERVICE_UNAVAILABLE, "Too many people ask for a code at this moment");
        }
    }

    private void run(CodeRequest request) {
        try {
            work.accept(request);
        } catch (RuntimeException failed) { // the address is not logged
            LOG.warn("A sign-in code was not sent error={}", failed.getClass().getName());
        }
    }

    /** Waits until a time by the clock of {@link System#nanoTime}. */
    static void await(long end) {
        try {
            TimeUnit.NANOSECONDS.sleep(end - System.nanoTime());
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    /** Ends when what was asked for is done. */
    @Override
    public void close() {
        threads.shutdown();
        try {
            if (!threads.awaitTermination(DRAIN.toMillis(), TimeUnit.MILLISECONDS)) {
                LOG.warn(
                        "Sign-in codes that were asked for are not sent count={}",
                        threads.shutdownNow().size());
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }
}
