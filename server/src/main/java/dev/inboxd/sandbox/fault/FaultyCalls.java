package dev.inboxd.sandbox.fault;

import dev.inboxd.base.database.WriteGate;
import dev.inboxd.base.error.ErrorCode;
import dev.inboxd.base.error.Problem;
import dev.inboxd.base.fault.CallFaults;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Predicate;

/** Calls of an organization that fail, lose their answer or are slow; never those of the sandbox itself. */
public final class FaultyCalls implements CallFaults {
    private static final String OWN = "/sandbox";

    private final WorldFaults faults;

    /** Calls under these faults. */
    public FaultyCalls(WorldFaults faults) {
        this.faults = faults;
    }

    /** Whether calls of such a route never fail. */
    public static boolean isSpared(String template) {
        return template.startsWith(OWN);
    }

    @Override
    public CallFault of(UUID organization, String method, String template) {
        if (faults.areNone(organization) || isSpared(template)) {
            return CallFault.NOTHING;
        }
        Predicate<FaultTerms> fits = terms -> terms.allows("method", method) && terms.allows("route", template);
        Duration late = faults.meet(organization, FaultKind.SLOW, fits)
                .map(terms -> Duration.ofMillis(terms.number("ms")))
                .orElse(Duration.ZERO);
        if (faults.isBusy(organization)) {
            return new CallFault(WriteGate.busy(), false, late);
        }
        Optional<FaultTerms> refusing = faults.meet(organization, FaultKind.API, fits);
        if (refusing.isPresent()) {
            return new CallFault(refusal(refusing.get().number("status")), false, late);
        }
        boolean isLost = faults.meet(organization, FaultKind.LOST_ANSWER, fits).isPresent();
        return new CallFault(null, isLost, late);
    }

    private static Problem refusal(int status) {
        ErrorCode code = switch (status) {
            case 429 -> ErrorCode.RATE_LIMIT_EXCEEDED;
            case 500 -> ErrorCode.INTERNAL_ERROR;
            default -> ErrorCode.SERVICE_UNAVAILABLE;
        };
        return Problem.of(code, "A fault of the sandbox answers this call")
                .with(Problem.STATUS, status)
                .retryAfter(Duration.ofSeconds(1));
    }
}
