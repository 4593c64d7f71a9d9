package dev.inboxd.account.session;

import dev.inboxd.base.database.Tx;
import java.util.Optional;

/** Proves, in a transaction under the clock of an organization, who of its people signs in. */
@FunctionalInterface
public interface SessionProof {
    /** The address of the person; empty where nothing is proven, and what was written for that is committed. */
    Optional<String> person(Tx tx);
}
