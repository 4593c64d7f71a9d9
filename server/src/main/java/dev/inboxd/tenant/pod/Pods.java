package dev.inboxd.tenant.pod;

import dev.inboxd.base.database.Database;
import dev.inboxd.base.database.Outcome;
import dev.inboxd.base.database.Tx;
import dev.inboxd.base.database.View;
import dev.inboxd.base.error.ErrorCode;
import dev.inboxd.base.error.Problem;
import dev.inboxd.base.id.Uuid7;
import dev.inboxd.base.page.Cursor;
import dev.inboxd.base.page.PageRequest;
import dev.inboxd.base.page.Slice;
import dev.inboxd.tenant.domain.Domains;
import dev.inboxd.tenant.inbox.Inboxes;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** The operations on pods. Each method runs its own transaction. */
public final class Pods {
    private static final int SHOWN_OF_ID = 8;

    private final Database database;
    private final int most;
    private final List<DeletionHook> deletions;

    /** Called by the transaction that deletes a pod, for other features. */
    @FunctionalInterface
    public interface DeletionHook {
        /** Removes what belongs to the pod: keys, webhooks, list entries. */
        void deleted(Tx tx, UUID organization, UUID pod);
    }

    /**
     * The pods of a database.
     *
     * @param most the largest number of pods of an organization beside its Default Pod
     * @param deletions called when a pod is deleted
     */
    public Pods(Database database, int most, List<DeletionHook> deletions) {
        this.database = database;
        this.most = most;
        this.deletions = List.copyOf(deletions);
    }

    /**
     * Creates a pod. A repetition with the same client_id returns the first pod: a pod has no other unique property
     * (ruling 18).
     *
     * @throws Problem {@code limit_exceeded}
     */
    Outcome<Pod> create(View view, NewPod requested) {
        return database.write(view.organization(), tx -> {
            View all = View.of(view.organization());
            if (requested.clientId() != null) {
                Optional<Pod> before = PodSql.findByClientId(tx, all, requested.clientId());
                if (before.isPresent()) {
                    return Outcome.same(before.get());
                }
            }
            if (most < Integer.MAX_VALUE && PodSql.count(tx, all) > most) {
                throw Problem.limit(
                        "pods",
                        most,
                        "There are " + most + " pods beside the Default Pod already",
                        "Delete one that is no longer needed: DELETE /v0/pods/{pod_id}.");
            }
            UUID id = Uuid7.next();
            // Uses the end of the id: its start is the time, which pods created together have in common.
            String text = id.toString();
            String name =
                    requested.name() == null ? "Pod " + text.substring(text.length() - SHOWN_OF_ID) : requested.name();
            Instant now = tx.next().at();
            Pod pod =
                    new Pod(id, name, requested.description(), requested.clientId(), false, null, List.of(), now, now);
            PodSql.insert(tx, all, pod);
            return Outcome.changed(pod);
        });
    }

    /**
     * One pod.
     *
     * @throws Problem {@code not_found}
     */
    Pod get(View view, UUID id) {
        return database.read(tx -> PodSql.find(tx, view, id)).orElseThrow(Pods::notFound);
    }

    /** A page of the pods that the view shows. */
    Slice<Pod> list(View view, PageRequest page) {
        return database.read(
                tx -> page.slice(PodSql.list(tx, view, page), pod -> Cursor.of(pod.createdAt(), pod.id())));
    }

    /**
     * Changes a pod; absent members stay as they are.
     *
     * @throws Problem {@code not_found}
     */
    Outcome<Pod> update(View view, UUID id, PodChange change) {
        return database.write(view.organization(), tx -> {
            Pod before = PodSql.find(tx, view, id).orElseThrow(Pods::notFound);
            Pod after = change.appliedTo(before);
            if (after.equals(before)) {
                return Outcome.same(before);
            }
            PodSql.update(tx, view, after, tx.next().at());
            return Outcome.changed(PodSql.find(tx, view, id).orElseThrow(Pods::notFound));
        });
    }

    /**
     * Stops all that leaves a pod, or lets it go on; a repetition changes nothing (approvals.md §5).
     *
     * @throws Problem {@code not_found}
     */
    Outcome<Pod> setStopped(View view, UUID id, boolean stopped) {
        return database.write(view.organization(), tx -> {
            Instant now = tx.next().at();
            int changed = stopped ? PodSql.stopSending(tx, view, id, now) : PodSql.resumeSending(tx, view, id, now);
            return new Outcome<>(PodSql.find(tx, view, id).orElseThrow(Pods::notFound), changed > 0);
        });
    }

    /**
     * Deletes a pod with its own keys, webhooks and list entries.
     *
     * @throws Problem {@code not_found}; {@code cannot_delete} for the Default Pod, and for a pod with inboxes or
     *     domains
     */
    void delete(View view, UUID id) {
        database.run(view.organization(), tx -> {
            Pod pod = PodSql.find(tx, view, id).orElseThrow(Pods::notFound);
            View inside = View.of(view.organization()).pod(id);
            checkDeletable(pod, Inboxes.count(tx, inside), Domains.count(tx, inside));
            deletions.forEach(deletion -> deletion.deleted(tx, view.organization(), id));
            PodSql.delete(tx, view, id);
        });
    }

    private static void checkDeletable(Pod pod, int inboxes, int domains) {
        if (pod.isDefault()) {
            throw Problem.of(
                    ErrorCode.CANNOT_DELETE,
                    "The Default Pod cannot be deleted",
                    "Resources that name no pod land there; delete what is in it instead.");
        }
        if (inboxes + domains > 0) {
            throw Problem.of(
                    ErrorCode.CANNOT_DELETE,
                    "The pod holds " + inboxes + " inboxes and " + domains + " domains",
                    "Delete them first: GET /v0/pods/" + pod.id() + "/inboxes and /v0/pods/" + pod.id()
                            + "/domains list them.");
        }
    }

    private static Problem notFound() {
        return Problem.notFound("Pod");
    }
}
