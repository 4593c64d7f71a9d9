/**
 * Allow and block lists (identity.md §12) for mail that is sent, received, or received as a reply, at an organization,
 * a pod or an inbox. Owners keep entries over HTTP, delivery adds the addresses that bounced, and a transaction that
 * sends or receives asks a {@link dev.inboxd.tenant.list.ListLookup}.
 */
@NullMarked
package dev.inboxd.tenant.list;

import org.jspecify.annotations.NullMarked;
