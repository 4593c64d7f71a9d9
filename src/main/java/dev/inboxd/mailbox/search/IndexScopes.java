package dev.inboxd.mailbox.search;

import dev.inboxd.mailbox.message.Message;
import dev.inboxd.platform.database.Tx;
import dev.inboxd.platform.database.View;
import dev.inboxd.tenant.organization.Organizations;
import java.util.List;
import java.util.UUID;

/**
 * What has an index of its own: every inbox, every pod, and, under the organization's id, all that is outside of the
 * Default Pod. So the usual organization, which has no other pod, pays for two.
 */
record IndexScopes(UUID organization, UUID defaultPod) {
    static IndexScopes read(Tx tx, UUID organization) {
        return new IndexScopes(organization, Organizations.defaultPod(tx, organization));
    }

    /** The scopes that a message is in. */
    List<UUID> of(Message.Place place) {
        return place.pod().equals(defaultPod)
                ? List.of(place.inbox(), place.pod())
                : List.of(place.inbox(), place.pod(), organization);
    }

    /** The scopes that hold all that a view may show, each message in one. */
    List<UUID> of(View view) {
        if (view.inbox() != null) {
            return List.of(view.inbox());
        }
        return view.pod() != null ? List.of(view.pod()) : List.of(defaultPod, organization);
    }
}
