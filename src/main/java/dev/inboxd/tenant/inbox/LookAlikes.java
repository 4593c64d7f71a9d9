package dev.inboxd.tenant.inbox;

import dev.inboxd.platform.database.Tx;
import java.util.Locale;
import java.util.UUID;

/**
 * Keeps organizations from taking an address that is easily read as another one's (promises.md A35). Usernames are ASCII,
 * so there is little to confuse: the idea is that of the skeletons of Unicode TR 39, the table is our own and goes further.
 */
final class LookAlikes {
    private LookAlikes() {}

    /** What a text looks like at a glance: texts with the same skeleton are taken for one another. */
    static String skeleton(String text) {
        return text.toLowerCase(Locale.ROOT)
                .replace("rn", "m")
                .replace("vv", "w")
                .replace("cl", "d")
                .replace('0', 'o')
                .replace('1', 'l')
                .replace('i', 'l');
    }

    /**
     * Takes what an address looks like, in the transaction that makes it. It is never given back, as the address is not.
     *
     * @return false when another organization has it
     */
    static boolean claim(Tx tx, String address, UUID organization) {
        int at = address.lastIndexOf('@');
        String look = skeleton(address.substring(0, at)) + address.substring(at);
        return tx.sql("""
                insert into look_alike as l (skeleton, organization_id) values (:look, :organization)
                on conflict (skeleton) do update set organization_id = l.organization_id
                returning l.organization_id""")
                .bind("look", look)
                .bind("organization", organization)
                .one(row -> row.uuid("organization_id"))
                .equals(organization);
    }
}
