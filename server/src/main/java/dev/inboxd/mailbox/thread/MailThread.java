package dev.inboxd.mailbox.thread;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.UUID;

/**
 * A thread of an inbox. The name avoids Java's {@code Thread}.
 *
 * @param totals of its messages of the first tier in which it has any (mail.md §10.4); the label of held mail is among
 *     their labels when any message of the thread is held
 */
public record MailThread(UUID id, UUID inbox, UUID pod, ThreadTotals totals, Instant updatedAt, ThreadWait waiting) {
    /** A thread of one message. */
    public static MailThread of(UUID id, UUID inbox, UUID pod, ThreadTotals first) {
        return opened(id, inbox, pod, first).with(ThreadWait.NOBODY.plus(first));
    }

    private static MailThread opened(UUID id, UUID inbox, UUID pod, ThreadTotals first) {
        return new MailThread(id, inbox, pod, first.distinct(first.labels()), first.at(), ThreadWait.UNKNOWN);
    }

    /** This thread with what is known of who waits. */
    public MailThread with(ThreadWait newWait) {
        return newWait.equals(waiting) ? this : new MailThread(id, inbox, pod, totals, updatedAt, newWait);
    }

    /** This thread after a message joined it that is newer than all others. */
    public MailThread plus(ThreadTotals next) {
        return joined(next).with(waiting.plus(next));
    }

    private MailThread joined(ThreadTotals next) {
        int order = next.tier().compareTo(totals.tier());
        if (order < 0) { // nothing of the hidden messages shows, not even their times (P11)
            return opened(id, inbox, pod, totals.isHeld() ? next.held() : next);
        }
        if (order > 0) {
            return next.isHeld() && !totals.isHeld()
                    ? new MailThread(id, inbox, pod, totals.held(), next.at(), waiting)
                    : this;
        }
        return new MailThread(id, inbox, pod, totals.plus(next), next.at(), waiting);
    }

    /** This thread with these totals, in which an address may be several times; the same object when equal. */
    public MailThread withTotals(ThreadTotals read, Instant now) {
        ThreadTotals after = read.distinct(labelsOf(read));
        return after.equals(totals) ? this : new MailThread(id, inbox, pod, after, now, waiting);
    }

    /**
     * Labels remaining in the order in which they came; a thread that is or was hidden takes the order of the totals.
     * Otherwise the order would show hidden mail (promise P11).
     */
    private List<String> labelsOf(ThreadTotals read) {
        if (!totals.isClean() || !read.isClean()) {
            return read.labels();
        }
        List<String> remaining = new ArrayList<>(totals.labels());
        remaining.retainAll(read.labels());
        return ThreadTotals.union(remaining, read.labels());
    }

    /**
     * This thread after a change of labels of messages that count; the same object when its labels remain the same.
     *
     * @param added labels that some message now carries
     * @param removed labels that no message carries any more
     */
    public MailThread labelled(Collection<String> added, Collection<String> removed, Instant now) {
        List<String> after = new ArrayList<>(ThreadTotals.union(totals.labels(), List.copyOf(added)));
        after.removeAll(removed);
        ThreadTotals changed = totals.with(after, totals.senders(), totals.recipients());
        return changed.equals(totals) ? this : new MailThread(id, inbox, pod, changed, now, waiting);
    }
}
