/**
 * The domains of inboxes: the service's own, and those that organizations bring (identity.md §11), with the DNS records
 * they need, the checks of these records, and the keys that sign mail of each domain (RFC 6376).
 */
@NullMarked
package dev.inboxd.tenant.domain;

import org.jspecify.annotations.NullMarked;
