package dev.inboxd.tenant.inbox;

import dev.inboxd.base.database.Tx;
import java.util.Locale;
import java.util.UUID;

/**
 * Prevents an address that is easily mistaken for one of another organization (promises.md A35). Usernames are ASCII,
 * so few characters can be confused. The idea is that of the skeletons of Unicode TR 39; the table is specific to this
 * service and stricter.
 */
final class LookAlikes {
    private LookAlikes() {}

    /** The skeleton of a text: texts with the same skeleton look alike. */
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
     * Assigns the skeleton of an address to an organization, in the transaction that creates the address. It is never
     * released, as the address never is.
     *
     * @return false when another organization has the skeleton
     */
    static boolean claim(Tx tx, String address, UUID organization) {
        return tx.sql("""
                insert into look_alike as l (skeleton, organization_id) values (:skeleton, :organization)
                on conflict (skeleton) do update set organization_id = l.organization_id
                returning l.organization_id""")
                .bind("skeleton", skeletonOf(address))
                .bind("organization", organization)
                .single(row -> row.uuid("organization_id"))
                .equals(organization);
    }

    /** Gives back the skeleton of the only address of an organization that ends. */
    static void giveBack(Tx tx, String address, UUID organization) {
        tx.sql("delete from look_alike where skeleton = :skeleton and organization_id = :organization")
                .bind("skeleton", skeletonOf(address))
                .bind("organization", organization)
                .run();
    }

    private static String skeletonOf(String address) {
        int at = address.lastIndexOf('@');
        return skeleton(address.substring(0, at)) + address.substring(at);
    }
}
