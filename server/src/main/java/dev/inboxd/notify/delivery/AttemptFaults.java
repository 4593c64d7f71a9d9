package dev.inboxd.notify.delivery;

import dev.inboxd.net.HttpOutcome;
import dev.inboxd.net.Target;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Posts to webhooks that end as somebody who tests a program asked for, in development (sandbox.md §6). */
@FunctionalInterface
public interface AttemptFaults {
    /** None ends so, as in production. */
    AttemptFaults NONE = (_, _, _) -> null;

    /**
     * How the next post to a webhook ends without a connection, which counts as one of those that were asked for; null
     * when it is made.
     */
    @Nullable
    HttpOutcome outcome(UUID organization, String webhook, Target target);
}
