package dev.inboxd.mail.link;

import dev.inboxd.mail.url.WebAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** The members of a query by which senders tell their readers apart (markdown.md §3). */
final class TrackingMembers {
    private static final String CAMPAIGN = "utm_";
    private static final Set<String> NAMES = Set.of(
            "fbclid",
            "gclid",
            "dclid",
            "msclkid",
            "mc_cid",
            "mc_eid",
            "_hsenc",
            "_hsmi",
            "mkt_tok",
            "vero_id",
            "vero_conv",
            "oly_anon_id",
            "oly_enc_id",
            "s_cid",
            "igshid",
            "ck_subscriber_id");

    private TrackingMembers() {}

    /** The address without them; itself when it has none. */
    static WebAddress without(WebAddress address) {
        List<QueryMember> members = QueryMember.of(address);
        List<String> left = new ArrayList<>(members.size());
        for (QueryMember member : members) {
            if (!member.name().startsWith(CAMPAIGN) && !NAMES.contains(member.name())) {
                left.add(member.text());
            }
        }
        if (left.size() == members.size()) {
            return address;
        }
        return address.withQuery(left.isEmpty() ? "" : "?" + String.join("&", left));
    }
}
