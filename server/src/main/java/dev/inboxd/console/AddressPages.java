package dev.inboxd.console;

import dev.inboxd.base.access.Role;
import dev.inboxd.base.database.Database;
import dev.inboxd.base.database.Tx;
import dev.inboxd.base.error.ErrorCode;
import dev.inboxd.base.error.Problem;
import dev.inboxd.base.http.LocalCall;
import dev.inboxd.base.http.Response;
import dev.inboxd.base.json.JsonTree;
import dev.inboxd.base.rate.Budgets;
import dev.inboxd.base.rate.Rate;
import dev.inboxd.console.session.ConsolePages;
import dev.inboxd.console.session.Visit;
import dev.inboxd.observe.audit.AuditAction;
import dev.inboxd.observe.audit.AuditActor;
import dev.inboxd.observe.audit.AuditChange;
import dev.inboxd.observe.audit.AuditLog;
import dev.inboxd.observe.audit.AuditSource;
import dev.inboxd.tenant.list.Suppressions;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;

/**
 * The page of an address: whether the organization may write to it, and the removal of an entry that a bounce made
 * (ruling 141). No call of the API removes one: a key would free every address that it harms.
 */
final class AddressPages {
    /** Each address once a day: one that bounces again is no mistake. */
    private static final Rate REMOVALS = Rate.of("suppression_removals", 1, Duration.ofDays(1));

    private static final String ADDRESSES = "addresses";
    private static final String ADDRESS = "address";

    private final Database database;
    private final Budgets budgets;

    AddressPages(Database database, Budgets budgets) {
        this.database = database;
        this.budgets = budgets;
    }

    void mount(ConsolePages pages) {
        pages.page("/addresses/{address}", AddressPages::address).form("/addresses/{address}", Role.OWN, this::act);
    }

    private static Response address(Visit visit) {
        String address = key(visit);
        JsonTree entry = visit.readIfAllowed(LocalCall.get("lists", "send", "block", address));
        return visit.page(ADDRESS, "inboxes/" + address, Map.of(ADDRESS, address, "entry", entry));
    }

    private static String key(Visit visit) {
        String key = Suppressions.key(visit.path(ADDRESS));
        if (key == null) {
            throw Problem.notFound("Address");
        }
        return key;
    }

    private Response act(Visit visit) {
        String address = key(visit);
        if (!visit.form().text("do").equals("free")) {
            throw Problem.invalid("do", "This page has no such action");
        }
        UUID organization = visit.caller().organization();
        database.read(tx -> ofBounce(tx, organization, address)); // a refusal costs no attempt
        if (!budgets.take(REMOVALS, organization + "\n" + address).isAllowed()) {
            throw Problem.of(
                    ErrorCode.RATE_LIMIT_EXCEEDED,
                    "The address was unblocked within the last day, and bounced again",
                    "Ask its owner whether it exists, and try again tomorrow. The operator can unblock it"
                            + " at once with: inboxd suppression remove " + address);
        }
        database.write(organization, tx -> {
            Suppressions.delete(tx, ofBounce(tx, organization, address));
            AuditLog.add(
                    tx,
                    organization,
                    AuditActor.of(visit.caller(), AuditSource.of(visit.request())),
                    AuditChange.of(AuditAction.SUPPRESSION_REMOVED, address));
            return 0;
        });
        return visit.to("freed", ADDRESSES, address);
    }

    private static Suppressions.Suppression ofBounce(Tx tx, UUID organization, String address) {
        return Suppressions.find(tx, organization, address)
                .filter(Suppressions.Suppression::isOfBounce)
                .orElseThrow(() -> Problem.of(
                        ErrorCode.CANNOT_DELETE,
                        "The address is not blocked by a bounce",
                        "If its owner complained or unsubscribed, only the operator can unblock the address. A block"
                                + " that a client made is removed by the client with DELETE."));
    }
}
