package dev.inboxd.mailbox.claim;

import dev.inboxd.base.access.Caller;
import dev.inboxd.base.database.Database;
import dev.inboxd.base.database.Tx;
import dev.inboxd.base.database.View;
import dev.inboxd.base.error.Problem;
import dev.inboxd.base.id.Base62;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The verbs of claims. Each is one transaction, after the organization's clock row. */
public final class ThreadClaims {
    private static final int MOST = 1_000;
    private static final String PREFIX = "clm_";
    private static final int CHARACTERS = 22;

    private final Database database;

    /** The claims in a database. */
    public ThreadClaims(Database database) {
        this.database = database;
    }

    /**
     * What a path names: a message, or a thread.
     *
     * @param message the public id of the message, or null
     * @param thread the thread; null where a message is named
     */
    public record ClaimPath(
            View view, @Nullable String message, @Nullable UUID thread) {
        private ClaimSql.ClaimTarget find(Tx tx) {
            Optional<ClaimSql.ClaimTarget> target = message != null
                    ? ClaimSql.ofMessage(tx, view, message)
                    : thread == null ? Optional.empty() : ClaimSql.ofThread(tx, view, thread);
            return target.orElseThrow(() -> Problem.notFound(message != null ? "Message" : "Thread"));
        }

        private View all() {
            return View.of(view.organization());
        }
    }

    /**
     * How somebody wants to claim.
     *
     * @param worker what the holder calls itself, or null
     * @param ifUnanswered whether what is answered is not claimed
     * @param isForced whether it is taken from whoever holds it
     */
    public record ClaimWish(Duration ttl, @Nullable String worker, boolean ifUnanswered, boolean isForced) {}

    /**
     * A claim that was made.
     *
     * @param isTaken whether somebody else lost it
     */
    public record MadeClaim(ThreadClaim claim, boolean isTaken) {}

    /**
     * ThreadClaims a thread. Whoever holds it already has the same claim, for longer.
     *
     * @throws Problem {@code not_found}, {@code conflict} when it is answered or somebody else holds it,
     *     {@code limit_exceeded}
     */
    public MadeClaim claim(Caller caller, ClaimPath path, ClaimWish wish) {
        return database.write(path.view.organization(), tx -> {
            ClaimSql.ClaimTarget target = path.find(tx);
            View all = path.all();
            if (wish.ifUnanswered) {
                AnswerSql.find(tx, all, target).ifPresent(answer -> {
                    throw answer.refusal();
                });
            }
            Instant now = tx.next().at();
            ThreadClaim newClaim = newClaim(target.place(), ThreadClaim.Holder.of(caller, wish.worker), now, wish.ttl);
            ThreadClaim before = ClaimSql.held(tx, all, target.place().thread()).orElse(null);
            if (before == null || !before.isLive(now)) {
                requireRoom(tx, all, target.place().inbox(), now);
                return new MadeClaim(replaced(tx, all, before, newClaim), false);
            }
            if (before.holder().isSame(newClaim.holder())) {
                Instant end = newClaim.expiresAt();
                return new MadeClaim(
                        prolonged(tx, all, before, end.isAfter(before.expiresAt()) ? end : before.expiresAt()), false);
            }
            if (!wish.isForced) {
                throw before.heldByAnother(now);
            }
            return new MadeClaim(replaced(tx, all, before, newClaim), true);
        });
    }

    /**
     * The claim of what is named.
     *
     * @throws Problem {@code not_found}
     */
    public ThreadClaim get(ClaimPath path) {
        return database.read(tx ->
                        ClaimSql.live(tx, path.all(), path.find(tx).place().thread()))
                .orElseThrow(() -> Problem.notFound("Claim"));
    }

    /**
     * Makes a claim last from now on for a time.
     *
     * @throws Problem {@code not_found}, {@code conflict} when it has ended
     */
    public ThreadClaim renew(Caller caller, ClaimPath path, String id, Duration ttl) {
        return database.write(path.view.organization(), tx -> {
            ThreadClaim claim = find(tx, caller, path, id);
            Instant now = tx.next().at();
            requireLive(claim, now);
            return prolonged(tx, path.all(), claim, now.plus(ttl));
        });
    }

    /**
     * To whom a claim is handed over.
     *
     * @param worker what the new holder calls itself, or null
     * @param key the only key that may use it from then on, or null
     */
    public record NewHolder(
            @Nullable String worker, @Nullable UUID key, Duration ttl) {}

    /**
     * Hands a claim over: it gets a new id, and the old one is over.
     *
     * @throws Problem {@code not_found}, also for a key that does not see the inbox, {@code conflict} when it has ended
     */
    public ThreadClaim handOver(Caller caller, ClaimPath path, String id, NewHolder to) {
        return database.write(path.view.organization(), tx -> {
            View all = path.all();
            ThreadClaim claim = find(tx, caller, path, id);
            Instant now = tx.next().at();
            requireLive(claim, now);
            UUID key = to.key;
            if (key != null && !ClaimSql.sees(tx, all, key, claim.place().inbox())) {
                throw Problem.notFound("API key");
            }
            ThreadClaim.Holder before = claim.holder();
            ThreadClaim.Holder after = key != null
                    ? new ThreadClaim.Holder(to.worker, key, ThreadClaim.Kind.KEY, true)
                    : new ThreadClaim.Holder(to.worker, before.id(), before.kind(), before.isBound());
            return replaced(tx, all, claim, newClaim(claim.place(), after, now, to.ttl));
        });
    }

    /**
     * Ends a claim. One that has ended stays so.
     *
     * @throws Problem {@code not_found}
     */
    public void release(Caller caller, ClaimPath path, String id) {
        database.<Integer>write(path.view.organization(), tx -> {
            find(tx, caller, path, id);
            ClaimSql.end(tx, path.all(), id);
            return 0;
        });
    }

    /**
     * Ends the claim of what is named, whoever holds it.
     *
     * @throws Problem {@code not_found}
     */
    public ThreadClaim breakClaim(ClaimPath path) {
        return database.write(path.view.organization(), tx -> {
            ThreadClaim claim = ClaimSql.held(
                            tx, path.all(), path.find(tx).place().thread())
                    .filter(held -> held.isLive(tx.next().at()))
                    .orElseThrow(() -> Problem.notFound("Claim"));
            ClaimSql.end(tx, path.all(), claim.id());
            return claim;
        });
    }

    private static ThreadClaim find(Tx tx, Caller caller, ClaimPath path, String id) {
        ThreadClaim.Place place = path.find(tx).place();
        return ClaimSql.find(tx, path.all(), place.inbox(), id)
                .filter(claim -> claim.place().thread().equals(place.thread()))
                .filter(claim -> claim.holder().lets(caller.credential().id()))
                .orElseThrow(() -> Problem.notFound("Claim"));
    }

    private static void requireLive(ThreadClaim claim, Instant now) {
        if (!claim.isLive(now)) {
            throw ThreadClaim.over();
        }
    }

    private static void requireRoom(Tx tx, View all, UUID inbox, Instant now) {
        if (ClaimSql.countLive(tx, all, inbox, now) >= MOST) {
            throw Problem.limit(
                    "claims",
                    MOST,
                    "An inbox has at most " + MOST + " claims at a time",
                    "Answer or release what is claimed, or claim for a shorter time.");
        }
    }

    private static ThreadClaim newClaim(ThreadClaim.Place place, ThreadClaim.Holder holder, Instant now, Duration ttl) {
        return new ThreadClaim(PREFIX + Base62.random(CHARACTERS), place, holder, true, now, now.plus(ttl));
    }

    private static ThreadClaim replaced(Tx tx, View all, @Nullable ThreadClaim before, ThreadClaim after) {
        if (before != null) {
            ClaimSql.end(tx, all, before.id());
        }
        ClaimSql.insert(tx, all, after);
        return after;
    }

    private static ThreadClaim prolonged(Tx tx, View all, ThreadClaim claim, Instant end) {
        ClaimSql.prolong(tx, all, claim.id(), end);
        return new ThreadClaim(claim.id(), claim.place(), claim.holder(), true, claim.createdAt(), end);
    }
}
