package dev.inboxd.tenant.list;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What the lists say about one address. */
public sealed interface ListVerdict {
    /** No list stands against it. */
    record Allowed() implements ListVerdict {}

    /**
     * It, or its domain, is on a block list.
     *
     * @param entry where
     */
    record Blocked(ListEntry entry) implements ListVerdict {
        /** Whether delivery made the entry because mail to the address came back, and not because of a complaint. */
        public boolean isOfBounce() {
            return entry.readOnly() && Lists.Cause.BOUNCED.reason().equals(entry.reason());
        }

        @Override
        public String reason() {
            // A client's own note is for those who can read the list; what delivery says is for everybody.
            return entry.readOnly()
                    ? "in block list, " + Objects.requireNonNullElse(entry.reason(), "read-only")
                    : "in block list";
        }

        @Override
        public String remedy() {
            return entry.readOnly()
                    ? "The entry " + entry.path() + " is read-only; ask the operator of the service to remove it."
                    : "DELETE " + entry.path() + ".";
        }
    }

    /**
     * There is an allow list, and it is not on it.
     *
     * @param lists whose list there is, the narrowest
     */
    record NotListed(ListOwner lists, Direction direction) implements ListVerdict {
        @Override
        public String reason() {
            return "not in allow list";
        }

        @Override
        public String remedy() {
            String list = new ListName(direction, ListType.ALLOW).path();
            String own = lists.path() + list;
            String widest = "/v0" + list;
            return "POST " + own + (own.equals(widest) ? "" : ", or POST " + widest)
                    + " with the address or its domain.";
        }
    }

    /** Whether a list stands against it. */
    default boolean isBlocked() {
        return !(this instanceof Allowed);
    }

    /** What stands against it, in a few words; null when nothing does. */
    default @Nullable String reason() {
        return null;
    }

    /** What can be done about it, a sentence; null when nothing needs to be. */
    default @Nullable String remedy() {
        return null;
    }
}
