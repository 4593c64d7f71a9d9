package dev.inboxd.sending;

import dev.inboxd.mail.address.AddressList;
import dev.inboxd.mail.address.AddressSyntaxException;
import dev.inboxd.mail.address.MailAddress;
import dev.inboxd.platform.json.JsonBody;
import java.util.ArrayList;
import java.util.List;

/** Reads members with addresses: a string or a list of strings, each of which may be an address list (mail.md §6.8). */
public final class AddressMembers {
    private static final int MOST = 1_000;
    private static final int LONGEST = 64 * 1024;

    private AddressMembers() {}

    /** The addresses of a member; faults are collected in the body. */
    public static List<MailAddress> read(JsonBody body, String member) {
        List<MailAddress> addresses = new ArrayList<>();
        List<String> texts = body.strings(member).most(MOST).list();
        for (int i = 0; i < texts.size(); i++) {
            try {
                if (texts.get(i).length() > LONGEST || addresses.size() > MOST) {
                    body.fault(member, member + " has too many addresses");
                    return List.of();
                }
                if (!texts.get(i).isBlank()) {
                    addresses.addAll(AddressList.parse(texts.get(i)));
                }
            } catch (AddressSyntaxException wrong) {
                body.fault(member, i, String.valueOf(wrong.getMessage()));
            }
        }
        return List.copyOf(addresses);
    }
}
