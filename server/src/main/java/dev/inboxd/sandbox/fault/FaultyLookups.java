package dev.inboxd.sandbox.fault;

import dev.inboxd.base.fault.LookupFaults;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Names that cannot be looked up for an organization: those that were given and those below them, or all. */
public final class FaultyLookups implements LookupFaults {
    private final WorldFaults faults;

    /** Look-ups under these faults. */
    public FaultyLookups(WorldFaults faults) {
        this.faults = faults;
    }

    @Override
    public @Nullable LookupFailure of(UUID organization, String name) {
        return faults.meet(organization, FaultKind.DNS, terms -> covers(terms.texts("names"), name))
                .map(terms -> LookupFailure.valueOf(terms.text("answer").toUpperCase(Locale.ROOT)))
                .orElse(null);
    }

    private static boolean covers(List<String> names, String name) {
        return names.isEmpty() || names.stream().anyMatch(domain -> name.equals(domain) || name.endsWith("." + domain));
    }
}
