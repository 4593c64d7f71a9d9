package dev.inboxd.sandbox.clock;

import dev.inboxd.base.PlatformModule;
import dev.inboxd.base.http.Level;
import dev.inboxd.base.http.RouteTable;
import dev.inboxd.base.job.PeriodicTask;
import dev.inboxd.base.module.Lifecycle;
import dev.inboxd.base.module.Lifecycle.Phase;
import dev.inboxd.base.module.ServiceModule;
import dev.inboxd.base.time.MovableClock;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;

/** The clock of a server in development. In production there is no such module. */
public final class ClockModule implements ServiceModule {
    /** A signal of another node may be lost. */
    private static final Duration BETWEEN_LOOKS = Duration.ofSeconds(5);

    private final PlatformModule platform;
    private final StoredClock clock;
    private final ClockMoves moves;

    /**
     * The clock of a platform.
     *
     * @param behind what is done now and then, behind an advance: that removes what is old
     */
    public ClockModule(PlatformModule platform, MovableClock clock, List<Runnable> behind) {
        this.platform = platform;
        this.clock = new StoredClock(platform.database(), clock);
        this.moves =
                new ClockMoves(this.clock, platform.due().survey(platform.takeOver()), platform.due()::lookNow, behind);
        this.clock.listen(platform.notifications(), platform.due()::lookNow);
    }

    /**
     * Lets the clock show the real time again, when the rows of all organizations are gone.
     *
     * @param emptying deletes them; nobody moves the clock meanwhile
     * @return what that returned
     */
    public <T> T restart(Supplier<T> emptying) {
        return moves.restart(emptying);
    }

    @Override
    public void mount(RouteTable routes) {
        new ClockHttp(clock, moves).mount(routes.at(Level.ROOT));
    }

    @Override
    public void register(Lifecycle lifecycle) {
        if (platform.config().soleNode()) {
            lifecycle.onStart(Phase.RECOVERY, clock::takeOver);
        }
        PeriodicTask looks = new PeriodicTask("clock", BETWEEN_LOOKS, moves::follow);
        lifecycle.add(Phase.SHARED, looks::start, looks::close);
        lifecycle.onStop(Phase.WAITS, moves::stop);
    }
}
