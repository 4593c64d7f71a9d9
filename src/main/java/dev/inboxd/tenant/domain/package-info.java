/**
 * Domains of inboxes: the service's own, and those that organizations register (identity.md §11), with the required DNS
 * records, the checks of these records, and the DKIM keys of each domain (RFC 6376).
 */
@NullMarked
package dev.inboxd.tenant.domain;

import org.jspecify.annotations.NullMarked;
