package dev.inboxd.notify.stream;

import java.util.ArrayDeque;
import java.util.LinkedHashMap;
import java.util.Objects;
import java.util.Queue;
import java.util.SequencedMap;
import java.util.UUID;

/**
 * Wakes those who were rung a few at a time: the organizations in turn, so that the thousands of one do not delay the one
 * of another, and in each of them who was rung first. The others rest on: ten thousand that woke to wait for the database
 * would take more memory than while they rested, and most connections to it. For many threads.
 */
final class FairWakeups {
    private final int most;
    private final SequencedMap<UUID, Queue<Task>> rung = new LinkedHashMap<>();
    private int awake;

    /** Somebody who rests until it is rung; at first it does not rest. What it knows here is guarded by its bell. */
    abstract static class Task {
        private final UUID organization;
        private boolean isRung;
        private boolean rests;

        Task(UUID organization) {
            this.organization = organization;
        }

        UUID organization() {
            return organization;
        }

        /** It rests no more: its turn begins, to be ended by {@link FairWakeups#done}. Called on any thread; must not block. */
        abstract void wake();
    }

    /** A bell that wakes so many at a time. */
    FairWakeups(int most) {
        this.most = most;
    }

    /** Something may have happened for it: it gets one turn, if need be as soon as it rests. */
    synchronized void wake(Task one) {
        if (!one.isRung) {
            one.isRung = true;
            if (one.rests) {
                await(one);
            }
        }
    }

    /** It has nothing to do until it is rung; that may have been while it was awake. */
    synchronized void park(Task one) {
        one.rests = true;
        if (one.isRung) {
            await(one);
        }
    }

    /** A turn is over. */
    synchronized void done() {
        awake--;
        next();
    }

    private void await(Task one) {
        rung.computeIfAbsent(one.organization, _ -> new ArrayDeque<>()).add(one);
        next();
    }

    private void next() {
        while (awake < most && !rung.isEmpty()) {
            UUID organization = rung.firstEntry().getKey();
            Queue<Task> those = Objects.requireNonNull(rung.remove(organization));
            Task first = those.remove();
            if (!those.isEmpty()) {
                rung.put(organization, those); // behind all others
            }
            awake++;
            first.rests = false;
            first.isRung = false;
            first.wake();
        }
    }
}
