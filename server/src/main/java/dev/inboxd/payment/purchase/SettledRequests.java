package dev.inboxd.payment.purchase;

import dev.inboxd.base.database.Database;
import dev.inboxd.base.database.Tx;
import dev.inboxd.base.error.Problem;
import dev.inboxd.base.http.ChangeNote;
import dev.inboxd.base.http.LocalCalls;
import dev.inboxd.base.http.Response;
import dev.inboxd.mailbox.attachment.KeptFiles;
import dev.inboxd.payment.ledger.PaidDraftSql;
import dev.inboxd.payment.ledger.Payers;
import dev.inboxd.payment.ledger.Payment;
import dev.inboxd.payment.ledger.PaymentClaims;
import dev.inboxd.payment.ledger.PaymentKeySql;
import dev.inboxd.payment.ledger.PaymentSql;
import dev.inboxd.tenant.inbox.Inboxes;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;

/** Carries out the requests of payments that were settled, in the outer transaction of its caller (payments.md §8). */
final class SettledRequests {
    /** How long a repeat of a request gets its answer. */
    static final Duration RETENTION = Duration.ofDays(1);

    private final Database database;
    private final InstantSource clock;
    private final LocalCalls calls;
    private final StoredRequests requests;

    SettledRequests(Settlements.Parts parts) {
        this.database = parts.database();
        this.clock = parts.clock();
        this.calls = parts.calls();
        this.requests = parts.requests();
    }

    /** The request of a payment that was settled cannot be carried out. */
    static final class UndoneException extends RuntimeException {
        private static final long serialVersionUID = 1;

        UndoneException(String why) {
            super(why);
        }
    }

    /**
     * Ends a payment, carries out its request and keeps the answer for repeats.
     *
     * @param settled the payment as it is from now on
     * @throws UndoneException when the request cannot be carried out any more
     * @throws Problem of status 5xx, when it may be later
     */
    Response run(PaymentSql.OpenPayment open, Payment settled) {
        StoredRequests.StoredRequest request = requests.opened(settled.id(), open.request());
        write(settled, (tx, now) -> {
            PaymentSql.end(tx, settled, settled.progress()); // so that its own call finds nothing in the way
            PaidDraftSql.endWait(tx, settled.organization(), open.drafts());
            if (Payers.settled(tx, settled.payer())) {
                PaymentEntries.created(tx, settled, now);
            }
        });
        Response answer = answer(settled, request);
        write(settled, (tx, _) -> {
            keep(tx, settled, request, answer);
            // A name that nobody chose is another one in each run.
            String address = open.address();
            if (address != null && !address.equals(PaymentClaims.address(answer))) {
                Inboxes.giveBack(tx, settled.organization(), address, true);
            }
        });
        return answer;
    }

    /** A part of the outer transaction. */
    @FunctionalInterface
    private interface Part {
        void write(Tx tx, Instant now);
    }

    private void write(Payment payment, Part part) {
        database.write(payment.organization(), 0, (tx, opening) -> {
            opening.run();
            part.write(tx, clock.instant());
            return null;
        });
    }

    private void keep(Tx tx, Payment payment, StoredRequests.StoredRequest request, Response answer) {
        Instant until = clock.instant().plus(RETENTION);
        byte[] sealed = requests.sealed(answer);
        if (sealed != null) {
            PaymentSql.keep(tx, payment, sealed, until);
        }
        byte[] key = PaidRepeats.key(payment.payer(), request.call());
        if (key != null) {
            PaymentKeySql.use(
                    tx, payment.organization(), new PaymentKeySql.UsedKeys(List.of(key), payment.id(), until));
        }
    }

    private Response answer(Payment payment, StoredRequests.StoredRequest request) {
        try {
            LocalCalls.LocalAnswer trial = KeptFiles.with(
                    request.files(),
                    () -> calls.run(
                            Payers.caller(payment.organization(), payment.payer(), payment.id()),
                            request.call(),
                            payment.requestId()));
            if (trial.effect() == ChangeNote.Effect.UNCHANGED) {
                throw new UndoneException("there was nothing to do any more");
            }
            if (trial.answer().status() >= 300) {
                throw new UndoneException("status " + trial.answer().status());
            }
            return trial.answer();
        } catch (Problem refused) {
            if (refused.code().status() >= 500) {
                throw refused;
            }
            throw new UndoneException(refused.code().wireName());
        }
    }
}
