/**
 * Inboxes: addresses that belong to an organization (mail.md §5). The public id of an inbox is its address; the
 * internal id is a UUID, so an address that is released and created again is a new inbox.
 */
@NullMarked
package dev.inboxd.tenant.inbox;

import org.jspecify.annotations.NullMarked;
