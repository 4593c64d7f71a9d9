/**
 * Allow and block lists (identity.md §12) for mail that is sent, received, or received as a reply, of an organization,
 * a pod or an inbox. Clients edit entries over HTTP, delivery adds addresses that bounced, and sending and receiving
 * look entries up in their own transactions with a {@link dev.inboxd.tenant.list.ListLookup}.
 */
@NullMarked
package dev.inboxd.tenant.list;

import org.jspecify.annotations.NullMarked;
