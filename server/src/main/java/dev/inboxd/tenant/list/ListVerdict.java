package dev.inboxd.tenant.list;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The verdict of the lists about one address. */
public sealed interface ListVerdict {
    /** No list refuses it. */
    record Allowed() implements ListVerdict {}

    /**
     * The address or its domain is on a block list.
     *
     * @param entry the entry that decides
     */
    record Blocked(ListEntry entry) implements ListVerdict {
        /** Whether delivery created the entry because of a bounce, and not because of a complaint. */
        public boolean isOfBounce() {
            return entry.readOnly() && Lists.Cause.BOUNCED.reason().equals(entry.reason());
        }

        /** The address or domain of the entry, in lower case. */
        public String listed() {
            return entry.key().text();
        }

        @Override
        public String reason() {
            // The note of a client is for those who can read the list; the reason of delivery is for everybody.
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
     * There is an allow list without an entry for the address.
     *
     * @param lists the owner of the narrowest allow list
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

    /** Whether a list refuses the address. */
    default boolean isBlocked() {
        return !(this instanceof Allowed);
    }

    /** The reason of the refusal in a few words; null when no list refuses. */
    default @Nullable String reason() {
        return null;
    }

    /** The remedy as a sentence; null when no list refuses. */
    default @Nullable String remedy() {
        return null;
    }
}
