/**
 * Pods: groups of inboxes, domains, keys, webhooks and list entries inside an organization (identity.md §10). Each
 * organization has a Default Pod from the start.
 */
@NullMarked
package dev.inboxd.tenant.pod;

import org.jspecify.annotations.NullMarked;
