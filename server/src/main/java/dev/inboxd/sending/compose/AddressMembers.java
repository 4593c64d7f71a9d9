package dev.inboxd.sending.compose;

import dev.inboxd.base.json.JsonBody;
import dev.inboxd.mail.address.AddressList;
import dev.inboxd.mail.address.AddressSyntaxException;
import dev.inboxd.mail.address.MailAddress;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads members with addresses (mail.md §6.8). In a list each element is one mailbox, whatever its name holds; a string
 * in place of a list is an address list. Empty strings count as left out. A name may hold tabs, because those of
 * received mail are shown with theirs.
 */
public final class AddressMembers {
    private static final int MOST = 1_000;
    /** Names of received mail may fill its header, and each of their characters may need a backslash. */
    private static final int LONGEST = 256 * 1024;

    private AddressMembers() {}

    /** The addresses of a member; faults are collected in the body. */
    public static List<MailAddress> read(JsonBody body, String member) {
        List<MailAddress> addresses = new ArrayList<>();
        boolean isList = body.isList(member);
        List<String> texts = body.strings(member).most(MOST).tabs().list();
        for (int i = 0; i < texts.size(); i++) {
            String text = texts.get(i);
            try {
                if (text.length() > LONGEST) {
                    body.fault(member, i, member + " must have at most " + LONGEST + " characters");
                } else if (!text.isBlank()) {
                    addresses.addAll(isList ? List.of(MailAddress.parse(text)) : AddressList.parse(text));
                }
            } catch (AddressSyntaxException wrong) {
                body.fault(member, i, String.valueOf(wrong.getMessage()));
            }
        }
        return List.copyOf(addresses);
    }
}
