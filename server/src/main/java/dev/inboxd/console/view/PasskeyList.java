package dev.inboxd.console.view;

import dev.inboxd.account.passkey.Passkey;
import java.util.List;

/**
 * The passkeys of the person who looks.
 *
 * @param options what the browser needs to make another, as JSON; empty where none is made
 */
public record PasskeyList(List<Passkey> all, String options) {
    /** Where there are none, and none is made. */
    public static final PasskeyList NONE = new PasskeyList(List.of(), "");

    public PasskeyList {
        all = List.copyOf(all);
    }

    /** A passkey in words. */
    public static String words(Passkey passkey) {
        String where = passkey.device() == null ? "Added in an unknown browser" : "Added in " + passkey.device();
        return passkey.isSynced() ? where + ", on all your devices" : where + ", on one device only";
    }
}
