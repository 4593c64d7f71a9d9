package dev.inboxd.mailbox.search.segment;

import dev.inboxd.base.database.Tx;
import dev.inboxd.base.database.View;
import dev.inboxd.mailbox.message.Message;
import dev.inboxd.tenant.organization.Organizations;
import java.util.List;
import java.util.UUID;

/**
 * The scopes with an index of their own: every inbox, every pod, and under the organization's id the mail outside of
 * the Default Pod. So an organization without other pods, the usual case, indexes a message twice only.
 */
public record IndexScopes(UUID organization, UUID defaultPod) {
    public static IndexScopes read(Tx tx, UUID organization) {
        return new IndexScopes(organization, Organizations.defaultPod(tx, organization));
    }

    /** The scopes of a message. */
    public List<UUID> of(Message.Place place) {
        return place.pod().equals(defaultPod)
                ? List.of(place.inbox(), place.pod())
                : List.of(place.inbox(), place.pod(), organization);
    }

    /** The scopes that have all messages of a view, each message in one of them. */
    public List<UUID> of(View view) {
        if (view.inbox() != null) {
            return List.of(view.inbox());
        }
        return view.pod() != null ? List.of(view.pod()) : List.of(defaultPod, organization);
    }
}
