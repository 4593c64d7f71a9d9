/**
 * Inboxes: addresses that belong to an organization (mail.md §5). Outside, an inbox's id is its address;
 * inside, a UUID, so that an address given up and made again is a new inbox.
 */
@NullMarked
package dev.inboxd.tenant.inbox;

import org.jspecify.annotations.NullMarked;
