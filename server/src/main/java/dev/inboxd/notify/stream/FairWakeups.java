package dev.inboxd.notify.stream;

import java.util.ArrayDeque;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.SequencedMap;
import java.util.UUID;

/**
 * Runs parked tasks that were signalled, a few at a time. Organizations take turns, so the thousands of tasks of one
 * organization do not delay the single task of another; within an organization its inboxes do, and within an inbox the
 * first signalled runs first. The others stay parked: ten thousand tasks that run only to wait for the database would
 * take more memory than while parked, and most database connections. Thread-safe.
 */
final class FairWakeups {
    private final int most;
    private final SequencedMap<UUID, SequencedMap<UUID, Queue<Task>>> signalled = new LinkedHashMap<>();
    private int running;

    /**
     * A task that is parked until it is signalled; it starts unparked. Its fields are guarded by its
     * {@link FairWakeups}.
     */
    abstract static class Task {
        private final UUID organization;
        private final UUID inbox;
        private boolean isSignalled;
        private boolean isParked;

        /** @param inbox whose task it is; the organization, where it is of no inbox alone */
        Task(UUID organization, UUID inbox) {
            this.organization = organization;
            this.inbox = inbox;
        }

        UUID organization() {
            return organization;
        }

        /** Resumes the task; {@link FairWakeups#done} ends its turn. Called on any thread; must not block. */
        abstract void wake();
    }

    /** Runs at most this many tasks at a time. */
    FairWakeups(int most) {
        this.most = most;
    }

    /** Signals a task: it gets one turn, and if it is not parked yet, then as soon as it is. */
    synchronized void wake(Task task) {
        if (!task.isSignalled) {
            task.isSignalled = true;
            if (task.isParked) {
                await(task);
            }
        }
    }

    /** Parks a task until it is signalled. A signal that came while it ran counts. */
    synchronized void park(Task task) {
        task.isParked = true;
        if (task.isSignalled) {
            await(task);
        }
    }

    /** Ends the turn of a task. */
    synchronized void done() {
        running--;
        next();
    }

    private void await(Task task) {
        signalled
                .computeIfAbsent(task.organization, _ -> new LinkedHashMap<>())
                .computeIfAbsent(task.inbox, _ -> new ArrayDeque<>())
                .add(task);
        next();
    }

    private void next() {
        while (running < most && !signalled.isEmpty()) {
            Map.Entry<UUID, SequencedMap<UUID, Queue<Task>>> organization =
                    Objects.requireNonNull(signalled.pollFirstEntry());
            Map.Entry<UUID, Queue<Task>> inbox =
                    Objects.requireNonNull(organization.getValue().pollFirstEntry());
            Task first = inbox.getValue().remove();
            if (!inbox.getValue().isEmpty()) {
                organization.getValue().put(inbox.getKey(), inbox.getValue()); // behind all others
            }
            if (!organization.getValue().isEmpty()) {
                signalled.put(organization.getKey(), organization.getValue());
            }
            running++;
            first.isParked = false;
            first.isSignalled = false;
            first.wake();
        }
    }
}
