/**
 * Inboxes: addresses that belong to an organization (mail.md §5). Clients know an inbox by its address, the tables by a
 * UUID, so that an address that is deleted and made again is a new inbox.
 */
@NullMarked
package dev.inboxd.tenant.inbox;

import org.jspecify.annotations.NullMarked;
