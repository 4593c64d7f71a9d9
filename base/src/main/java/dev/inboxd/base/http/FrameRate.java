package dev.inboxd.base.http;

import java.time.Duration;
import org.eclipse.jetty.http2.frames.DataFrame;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.io.RateControl;
import org.eclipse.jetty.io.WindowRateControl;

/**
 * Bounds the frames without use that a peer may send on one connection of HTTP/2; each costs work (promises.md A39).
 * Data of a stream that was answered early is on its way when the peer hears of it, and costs little.
 */
final class FrameRate extends WindowRateControl {
    static final RateControl.Factory FACTORY = new RateControl.Factory() {
        @Override
        public RateControl newRateControl(EndPoint peer) {
            return new FrameRate();
        }
    };

    private static final Duration SECOND = Duration.ofSeconds(1);
    /** Such as resets of streams that were just opened. */
    private static final int USELESS = 100;
    /** Of data for streams that have ended: 32 MiB of full frames. */
    private static final int LATE = 2_000;

    private final WindowRateControl late = new WindowRateControl(LATE, SECOND);

    FrameRate() {
        super(USELESS, SECOND);
    }

    @Override
    public boolean onEvent(Object frame) {
        boolean isData = frame instanceof DataFrame data && data.remaining() > 0;
        return isData ? late.onEvent(frame) : super.onEvent(frame);
    }
}
