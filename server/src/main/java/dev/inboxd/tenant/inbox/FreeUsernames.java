package dev.inboxd.tenant.inbox;

import dev.inboxd.base.database.Tx;
import dev.inboxd.base.error.ErrorCode;
import dev.inboxd.base.error.Problem;
import java.util.ArrayList;
import java.util.List;

/** Free usernames to choose from when the one that was asked for cannot be had. */
final class FreeUsernames {
    private static final int MOST = 3;
    private static final int LAST_NUMBER = 9;
    private static final int LONGEST_STEM = 56;

    private FreeUsernames() {}

    /** The problem with an address that cannot be had, with three usernames of the same domain that can. */
    static Problem addressTaken(Tx tx, String address, String message) {
        int at = address.lastIndexOf('@');
        List<String> free = near(tx, address.substring(0, at), address.substring(at));
        return Problem.of(
                        ErrorCode.RESOURCE_TAKEN,
                        message,
                        "Choose another username or domain. Free are " + String.join(", ", free) + ".")
                .with("suggestions", free);
    }

    private static List<String> near(Tx tx, String username, String atDomain) {
        String stem = stem(username);
        List<String> free = new ArrayList<>();
        for (int number = 1; number <= LAST_NUMBER && free.size() < MOST; number++) {
            add(free, stem + number, tx, atDomain);
        }
        while (free.size() < MOST) {
            add(free, Usernames.random(), tx, atDomain);
        }
        return List.copyOf(free);
    }

    private static void add(List<String> free, String username, Tx tx, String atDomain) {
        boolean isAllowed = Usernames.fault(username) == null && !Usernames.isReserved(username);
        if (isAllowed && !free.contains(username) && !AddressDirectory.isKnown(tx, username + atDomain)) {
            free.add(username);
        }
    }

    /** What a number can be put behind. */
    private static String stem(String username) {
        String stem = username.substring(0, Math.min(username.length(), LONGEST_STEM));
        return Character.isDigit(stem.charAt(stem.length() - 1)) ? stem + "-" : stem;
    }
}
