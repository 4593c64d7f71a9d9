package dev.inboxd.sending.tracking;

import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * The names of this server that are for pixels alone. They stand in mail that strangers read, and those of customers'
 * domains are in zones that others write: no page of ours and no call of the API is to be had there.
 *
 * @param own where the pixels of the service's own domain are served; none when opens are not tracked from it
 * @param others the names that serve other things, which one of them may be the same as
 */
public record TrackingHosts(Optional<String> own, Set<String> others) {
    /** In front of a customer's domain (identity.md §11.3). */
    private static final String ALIAS = "link.";

    public TrackingHosts {
        others = Set.copyOf(others);
    }

    /**
     * Whether a name is for pixels alone.
     *
     * @param host in lower case, without its port
     */
    public boolean isForPixelsAlone(String host) {
        boolean isOne = host.startsWith(ALIAS)
                || own.map(name -> name.toLowerCase(Locale.ROOT))
                        .filter(host::equals)
                        .isPresent();
        return isOne && !others.contains(host);
    }
}
